export { runEpisode } from './run-episode';
export { rescan } from './rescan';

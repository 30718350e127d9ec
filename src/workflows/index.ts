export { runEpisode } from './run-episode';

import { hashOf } from '../hash';
import type { EpisodeView } from './episode-view';

/** What a plan is made from of an episode, in one hash, without times and owners: it changes with whatever could change a plan. */
export function viewDigest(view: EpisodeView): string {
  return hashOf({
    screenplay: view.episode.screenplay_hash,
    settings: view.config,
    switches: [...view.inputs.shotSwitches].sort(([a], [b]) => (a < b ? -1 : 1)),
    contexts: view.inputs.contexts,
    rows: [...view.rows.values()].map((row) => [row.step_id, row.status, row.run_id]).sort(),
    checkpoints: [...view.checkpoints].map(([step, { version }]) => [step, version]).sort(),
  });
}

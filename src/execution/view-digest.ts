import { hashOf } from '../hash';
import type { EpisodeView } from './episode-view';

/** What of an episode is read besides its steps: texts, settings and switches, in an order of their own. */
export function viewSources({ episode, config, inputs }: EpisodeView) {
  return {
    screenplay: episode.screenplay_hash,
    settings: config,
    switches: [...inputs.shotSwitches].sort(([a], [b]) => (a < b ? -1 : 1)),
    contexts: inputs.contexts,
  };
}

/** What a plan is made from of an episode, in one hash, without times and owners: it changes with whatever could change a plan. */
export function viewDigest(view: EpisodeView): string {
  return hashOf({
    ...viewSources(view),
    rows: [...view.rows.values()].map((row) => [row.step_id, row.status, row.run_id]).sort(),
    checkpoints: [...view.checkpoints].map(([step, { version }]) => [step, version]).sort(),
  });
}

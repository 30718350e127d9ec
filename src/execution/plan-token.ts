import { hashOf } from '../hash';
import type { EpisodeView } from './episode-view';
import type { ForecastStep, RunChoice } from './forecast';

/**
 * The token of a plan: a hash of its decisions and of what they read, without times and owners (spec 40 "Plan"). A run started
 * with it is refused if anything that matters has changed.
 */
export function planToken(view: EpisodeView, choice: RunChoice, steps: readonly ForecastStep[]): string {
  return hashOf({
    choice: { chosen: [...choice.chosen], force: [...choice.force], items: choice.items },
    screenplay: view.episode.screenplay_hash,
    config: view.config,
    switches: [...view.inputs.shotSwitches].sort(([a], [b]) => a.localeCompare(b)),
    steps: steps.map(({ stepId, decision }) => ({
      stepId,
      action: decision.action,
      code: decision.code,
      origin: decision.origin,
      status: decision.expected?.status,
      checkpoint: view.checkpoints.get(stepId)?.version,
    })),
  }).slice(0, 32);
}

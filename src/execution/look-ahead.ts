import type { StepRun } from '../db/tables';
import { isStepId } from '../domain/steps';
import type { Logger } from '../observability/logger';
import { ALONE, decideStep } from './decide-step';
import type { JudgingDependencies } from './dependencies';
import { readEpisodeView } from './episode-view';

/** As many as a start reclaims in practice; more would only hold it up. */
const AT_MOST = 4;

/**
 * Decides steps that were just reclaimed, once, and throws the decisions away: by the time their next attempts come, the screenplay
 * is parsed and all that decides is compiled (spec 15 "Fast takeover"). Writes nothing; whatever goes wrong is said by the attempt itself.
 */
export async function lookAhead(
  deps: JudgingDependencies & { readonly log: Logger },
  reclaimed: readonly StepRun[],
): Promise<void> {
  for (const { project_id, episode_id, step_id } of reclaimed.slice(0, AT_MOST)) {
    if (project_id === null || episode_id === null || !isStepId(step_id)) continue;
    try {
      await decideStep(deps, await readEpisodeView(deps.db, project_id, episode_id), step_id, ALONE('resume'));
    } catch (error) {
      deps.log.debug({ step: step_id, err: error }, 'a step was not looked at ahead of time');
    }
  }
}

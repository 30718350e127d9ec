import { RUNNING_ACTIONS, type ResumeDecision } from '../domain/decision';
import { STEP_IDS, downstreamOf, type StepId } from '../domain/steps';
import type { StepRun } from '../db/tables';
import { decideStep } from './decide-step';
import type { JudgingDependencies } from './dependencies';
import type { EpisodeView } from './episode-view';

/** What is asked of a run (spec 50, run-all). A step's mode is force where `force` or `items` names it. */
export interface RunChoice {
  readonly chosen: readonly StepId[];
  readonly force: readonly StepId[];
  readonly items: Readonly<Partial<Record<StepId, readonly string[]>>>;
}

export interface ForecastStep {
  readonly stepId: StepId;
  readonly decision: ResumeDecision;
}

/**
 * What run-all decides before it starts: a forecast (spec 15). A need that is itself going to run counts as met, and the step
 * is decided again at its turn; a forced step makes everything downstream stale.
 */
export async function forecast(deps: JudgingDependencies, view: EpisodeView, choice: RunChoice): Promise<readonly ForecastStep[]> {
  const willRun = new Set<StepId>();
  const rows = new Map(view.rows);
  const steps: ForecastStep[] = [];
  for (const stepId of STEP_IDS) {
    if (!choice.chosen.includes(stepId)) continue;
    const isForced = choice.force.includes(stepId) || choice.items[stepId] !== undefined;
    const decision = await decideStep(deps, { ...view, rows }, stepId, { mode: isForced ? 'force' : 'resume', willRun });
    steps.push({ stepId, decision });
    if (!RUNNING_ACTIONS.has(decision.action)) continue;
    willRun.add(stepId);
    if (choice.force.includes(stepId)) for (const below of downstreamOf(stepId)) makeStale(rows, below);
  }
  return steps;
}

function makeStale(rows: Map<string, StepRun>, step: StepId): void {
  const row = rows.get(step);
  if (row && !['pending', 'running'].includes(row.status)) rows.set(step, { ...row, status: 'stale' });
}

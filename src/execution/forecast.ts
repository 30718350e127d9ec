import { RUNNING_ACTIONS, type ResumeDecision } from '../domain/decision';
import { STEP_IDS, downstreamOf, type StepId } from '../domain/steps';
import type { StepRun } from '../db/tables';
import type { StepInputs } from '../pipeline/definition';
import { keptItems } from '../store/items';
import { decideStep } from './decide-step';
import { dependentsOf, keptReaders } from './dependents';
import type { JudgingDependencies } from './dependencies';
import { withBodies, type EpisodeView } from './episode-view';

/** What is asked of a run (spec 50, run-all). A step's mode is force where `force` or `items` names it. */
export interface RunChoice {
  readonly chosen: readonly StepId[];
  readonly force: readonly StepId[];
  readonly items: Readonly<Partial<Record<StepId, readonly string[]>>>;
}

/** Items that will be asked again although their request is the same as yet: what they read is made anew first. */
export type AskedAgain = 'all' | ReadonlySet<string>;

export interface ForecastStep {
  readonly stepId: StepId;
  readonly decision: ResumeDecision;
  readonly askedAgain: AskedAgain;
}

/**
 * What run-all decides before it starts: a forecast (spec 15). A need that is itself going to run counts as met, and the step
 * is decided again at its turn; one that is going to be set aside counts as not applicable; a forced step makes everything downstream stale, forced items only what reads them.
 */
export async function forecast(
  deps: JudgingDependencies,
  view: EpisodeView,
  choice: RunChoice,
): Promise<readonly ForecastStep[]> {
  const willRun = new Set<StepId>();
  const willBeSetAside = new Set<StepId>();
  const rows = new Map(view.rows);
  const again = new Map<StepId, AskedAgain>();
  const steps: ForecastStep[] = [];
  for (const stepId of STEP_IDS) {
    if (!choice.chosen.includes(stepId)) continue;
    const isForced = choice.force.includes(stepId) || choice.items[stepId] !== undefined;
    const seen = { ...view, rows, inputs: withoutSetAside(view.inputs, willBeSetAside) };
    const decision = await decideStep(deps, seen, stepId, {
      mode: isForced ? 'force' : 'resume',
      willRun,
      willBeSetAside,
    });
    steps.push({ stepId, decision, askedAgain: again.get(stepId) ?? NONE });
    if (decision.action === 'not_applicable') willBeSetAside.add(stepId);
    if (!RUNNING_ACTIONS.has(decision.action)) continue;
    willRun.add(stepId);
    for (const [below, items] of isForced ? await staleBelow(deps, view, choice, stepId) : []) {
      makeStale(rows, below);
      again.set(below, union(again.get(below) ?? NONE, items));
    }
  }
  return steps;
}

/** What later steps read once these are set aside: the note that they did not apply, also in place of an older result. */
export function withoutSetAside(inputs: StepInputs, setAside: ReadonlySet<StepId>): StepInputs {
  return withBodies(inputs, new Map([...setAside].map((stepId) => [stepId, SET_ASIDE])));
}

const SET_ASIDE = { not_applicable: true };
const NONE: ReadonlySet<string> = new Set();

/** What the force of a step, or of some of its items, will mark (spec 20 "Items"). */
async function staleBelow(
  deps: JudgingDependencies,
  view: EpisodeView,
  choice: RunChoice,
  stepId: StepId,
): Promise<[StepId, AskedAgain][]> {
  if (choice.force.includes(stepId)) return downstreamOf(stepId).map((below) => [below, 'all']);
  const marked: [StepId, AskedAgain][] = [];
  for (const [below, items] of dependentsOf(deps, view, stepId, choice.items[stepId] ?? [])) {
    const kept = await keptItems(deps.db, { projectId: view.projectId, episodeId: view.episodeId, stepId: below });
    const reading = keptReaders(items, kept);
    if (reading.length > 0) marked.push([below, new Set(reading)]);
  }
  return marked;
}

function union(one: AskedAgain, other: AskedAgain): AskedAgain {
  return one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other]);
}

function makeStale(rows: Map<string, StepRun>, step: StepId): void {
  const row = rows.get(step);
  if (row && !['pending', 'running'].includes(row.status)) rows.set(step, { ...row, status: 'stale' });
}

import { incomplete, type CompletionReport } from '../domain/completion';
import {
  RUNNING_ACTIONS,
  asksForVerify,
  contractDrift,
  decide,
  type DecisionFacts,
  type Mode,
  type ResumeDecision,
} from '../domain/decision';
import { AppError } from '../domain/errors';
import { downstreamOf, upstreamOf, type StepId } from '../domain/steps';
import { judge, type Verdict } from '../domain/verdict';
import { hashOf } from '../hash';
import type { StepDefinition } from '../pipeline/definition';
import type { Logger } from '../observability/logger';
import { expectedOf } from '../ledger/matches';
import type { StepRun } from '../db/tables';
import type { Checkpoint } from '../store/checkpoints';
import { eyesOf, type JudgingDependencies } from './dependencies';
import type { EpisodeView } from './episode-view';
import { verifyStep } from './verify-step';

export interface DecideOptions {
  readonly mode: Mode;
  /** In plan and run-all: steps that are going to run before this one. Empty in an attempt, which looks at the rows as they are. */
  readonly willRun: ReadonlySet<StepId>;
  /** In plan and run-all: steps that are going to be set aside before this one, whatever their rows say yet. */
  readonly willBeSetAside?: ReadonlySet<StepId>;
}

const NOTHING_ELSE: ReadonlySet<StepId> = new Set();
export const ALONE = (mode: Mode): DecideOptions => ({ mode, willRun: NOTHING_ELSE });

/** One hash for each key that counts for resume, of the value after defaults are filled in (spec 20 "Contract"). */
export function configHashes(step: StepDefinition, config: EpisodeView['config']): Record<string, string> {
  return Object.fromEntries(step.resumeConfigKeys.map((key) => [key, hashOf(config[key])]));
}

/** What of a step's contract is compared with its checkpoint (spec 20 "Contract"). */
function contractOf(step: StepDefinition, config: EpisodeView['config']): DecisionFacts['contract'] {
  const { schemaVersion, allowAutoRerunOnSchemaBump } = step;
  return { schemaVersion, configHashes: configHashes(step, config), allowAutoRerunOnSchemaBump };
}

/** Judges a running row through the eyes of this process. */
export function judgeRow(deps: JudgingDependencies, row: StepRun, now: string): Verdict {
  return judge(row, now, eyesOf(deps), deps.times);
}

/** A running row of which nobody can tell whether its owner lives is the operator's to look at (spec 10 "The verdict"). */
export function warnOfUnknown(log: Logger, row: StepRun, verdict: Verdict): void {
  if (verdict.verdict === 'unknown') log.warn({ row, verdict }, 'a running row cannot be judged');
}

/**
 * Whether a death may be acted on: one that only a heartbeat tells (branches 4, 5) needs beats of one's own without a gap, since
 * after an outage of the database every heartbeat looks old (spec 10 "Acting on a death by heartbeat"). `now`: what it was judged by.
 * True for other verdicts.
 */
export function mayActOn(deps: { mayActOnHeartbeat(now: string): boolean }, verdict: Verdict, now: string): boolean {
  const byHeartbeat = verdict.branch === 4 || verdict.branch === 5;
  return verdict.verdict !== 'dead' || !byHeartbeat || deps.mayActOnHeartbeat(now);
}

/** Gathers the facts of one step from a view of its episode, and decides. Writes nothing (spec 20 "One judge"). */
export async function decideStep(
  deps: JudgingDependencies,
  view: EpisodeView,
  stepId: StepId,
  options: DecideOptions,
): Promise<ResumeDecision> {
  const step = deps.steps[stepId];
  const row = view.rows.get(stepId) ?? null;
  const checkpoint = view.checkpoints.get(stepId) ?? null;
  const inputs = readsInputs(step, view, options);
  const facts: Omit<DecisionFacts, 'report'> = {
    step: stepId,
    mode: options.mode,
    row: row && { ...expectedOf(row), error_message: row.error_message },
    verdict: row?.status === 'running' ? judgeRow(deps, row, view.now) : null,
    needs: step.needs.map((need) => ({
      step: need,
      status: statusAt(view, need, options),
      willRun: options.willRun.has(need),
    })),
    applies: inputs.applies,
    inputsBroken: inputs.broken,
    upstreamRuns: upstreamOf(stepId).find((above) => options.willRun.has(above)) ?? null,
    downstreamRunning: downstreamOf(stepId).flatMap((below) => {
      const belowRow = view.rows.get(below);
      return belowRow?.status === 'running' ? [{ step: below, verdict: judgeRow(deps, belowRow, view.now) }] : [];
    }),
    victims: [],
    checkpoint,
    contract: contractOf(step, view.config),
  };
  const report = checkpoint && asksForVerify(facts) ? await verifyStep(deps, step, view.inputs, checkpoint.body) : null;
  const decision = decide({ ...facts, report });
  if (!RUNNING_ACTIONS.has(decision.action)) return decision;
  const victims = await victimsOf(deps, view, step, options);
  const withVictims = victims.length === 0 ? decision : decide({ ...facts, report, victims });
  if (!RUNNING_ACTIONS.has(withVictims.action)) return withVictims;
  const hole = brokenCalls(step, view, options);
  return hole === null ? withVictims : decide({ ...facts, report, victims, inputsBroken: hole });
}

/** What keeps a step that would run from saying what it asks: an item of a fan-out that nobody accounts for. null: nothing. */
function brokenCalls(step: StepDefinition, view: EpisodeView, options: DecideOptions): string | null {
  if (isToBeMade(step, view, options)) return null;
  try {
    step.calls(view.inputs);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation') return error.message;
    throw error;
  }
}

/** The status of a step above when this one has its turn. */
function statusAt(view: EpisodeView, step: StepId, { willBeSetAside }: DecideOptions): string | undefined {
  return willBeSetAside?.has(step) ? 'not_applicable' : view.rows.get(step)?.status;
}

/** Something that it reads is still to be made by an earlier step. */
function isToBeMade(step: StepDefinition, view: EpisodeView, options: DecideOptions): boolean {
  if (upstreamOf(step.id).some((above) => options.willRun.has(above))) return true;
  return step.needs.some((need) => statusAt(view, need, options) === undefined);
}

/** Whether the step applies. A step whose inputs are still to be made by an earlier one is taken to apply. */
function readsInputs(
  step: StepDefinition,
  view: EpisodeView,
  options: DecideOptions,
): { applies: boolean; broken: string | null } {
  if (isToBeMade(step, view, options)) return { applies: true, broken: null };
  try {
    return { applies: step.applies(view.inputs), broken: null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.contract_violation')
      return { applies: true, broken: error.message };
    throw error;
  }
}

/** An editor's victims, each verified: it never signs over earlier damage (spec 20 "Editor steps"). */
async function victimsOf(deps: JudgingDependencies, view: EpisodeView, step: StepDefinition, options: DecideOptions) {
  const victims: { step: StepId; status: string | undefined; willRun: boolean; report: CompletionReport | null }[] = [];
  for (const id of step.modifiesCheckpoints) {
    const stored = view.checkpoints.get(id);
    const isDecidedLater = [id, ...upstreamOf(id)].some((one) => options.willRun.has(one));
    const report = stored && !isDecidedLater ? await reportOfVictim(deps, deps.steps[id], view, stored) : null;
    victims.push({ step: id, status: statusAt(view, id, options), willRun: isDecidedLater, report });
  }
  return victims;
}

/** Contract first, then verify, as the victim itself is judged: a new verifier must not meet an old shape (spec 20, order 5 and 9). */
async function reportOfVictim(
  deps: JudgingDependencies,
  victim: StepDefinition,
  view: EpisodeView,
  stored: Checkpoint,
): Promise<CompletionReport> {
  const drift = contractDrift({ step: victim.id, checkpoint: stored, contract: contractOf(victim, view.config) });
  return drift
    ? incomplete('contract_drift', [drift.reason], drift.evidence, false)
    : verifyStep(deps, victim, view.inputs, stored.body);
}

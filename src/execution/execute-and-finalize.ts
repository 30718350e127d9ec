import { translateDatabaseError, withDatabaseErrors } from '../db/errors';
import { AppError, ERRORS, type ErrorCode } from '../domain/errors';
import type { SafePoint, Stop } from '../domain/stop';
import type { StepId } from '../domain/steps';
import type { Held } from '../ledger/held';
import type { StepKey } from '../ledger/key';
import { readGenerations } from '../store/generations';
import { keptItems } from '../store/items';
import { datedMarks } from '../store/stale-marks';
import { applyEdits, type EditRequest } from './apply-edits';
import type { ExecutionDependencies } from './dependencies';
import { readEpisodeView, unfinishedAbove, type EpisodeView } from './episode-view';
import { endWithoutCheckpoint, finalize, type Candidate } from './finalize';
import type { ExecuteOutcome } from './execute-outcome';
import { parkForHandover } from './handover';
import type { CallsResult } from './calls';
import { runCalls } from './run-calls';
import { safePointOf } from './safe-point';
import { untilWritten } from './until-written';
import { verifyStep } from './verify-step';

export interface ExecuteRequest {
  readonly key: StepKey & { readonly stepId: StepId };
  readonly held: Held;
  /** Temporal's and the process's wish to stop; null: go on. */
  stopRequested(): Stop | null;
  progress(done: number, failed: number, total: number): void;
  /** An editor's first activity parks the run for the second one; everything else is finalized here. */
  readonly editor: 'park' | 'apply';
}

/**
 * Runs a claimed step and ends it: one way for a rerun and for a force (spec 20 "Running and finalizing"). The registry holds
 * the run until the write that ends it is committed, or ownership is lost.
 */
export async function executeAndFinalize(
  deps: ExecutionDependencies,
  request: ExecuteRequest,
): Promise<ExecuteOutcome> {
  const { held } = request;
  let outcome: ExecuteOutcome | null = null;
  try {
    outcome = await execute(deps, request);
    return outcome;
  } catch (error) {
    outcome = await endByError(deps, held, translateDatabaseError(error, `Running ${held.stepId}`));
    return outcome;
  } finally {
    if (outcome?.outcome !== 'parked') deps.registry.drop(held.runId);
  }
}

async function execute(deps: ExecutionDependencies, request: ExecuteRequest): Promise<ExecuteOutcome> {
  const { key, held } = request;
  const step = deps.steps[key.stepId];
  const { view, kept, marks, generations } = await readWhatIsThere(deps, key);
  const safePoint = safePointOf(deps, held, () => request.stopRequested());
  const calls = await runCalls(deps, {
    held,
    step,
    config: view.config,
    calls: step.calls(view.inputs),
    kept,
    marks,
    settled: unfinishedAbove(view, step.id) === null,
    generations,
    safePoint,
    progress: (done, failed, total) => request.progress(done, failed, total),
  });
  if (calls.stop?.why === 'ownership_lost') return { outcome: 'ownership_lost' };
  const candidate = await candidateOf(deps, step.id, view, calls);
  const edits = step.modifiesCheckpoints.length > 0 && candidate?.report.isComplete === true && calls.stop === null;
  if (edits && request.editor === 'park') return parkForHandover(deps, held, () => request.stopRequested());
  if (edits) return applyUnlessStopped(deps, { held, step, view, calls, candidate }, safePoint);
  const final = await finalize(deps, { held, step, view, calls, candidate, workLeft: false });
  return final ? { outcome: 'ended', ...final } : { outcome: 'ownership_lost' };
}

/**
 * What the step starts from. Marks first: one that is read is older than what the calls are made from. An outage of the database
 * is waited out: the step is held, and another attempt would wait as well.
 */
function readWhatIsThere(deps: ExecutionDependencies, key: ExecuteRequest['key']) {
  const doing = `Reading what ${key.stepId} starts from`;
  return untilWritten(deps, doing, () =>
    withDatabaseErrors(doing, async () => ({
      marks: await datedMarks(deps.db, key),
      view: await readEpisodeView(deps.db, key.projectId, key.episodeId),
      kept: await keptItems(deps.db, key),
      generations: await readGenerations(deps.db, key),
    })),
  );
}

/** Between review and refresh lies a safe point: cancelled there, nothing is applied (spec 15 "Handing over"). */
async function applyUnlessStopped(
  deps: ExecutionDependencies,
  request: EditRequest,
  safePoint: SafePoint,
): Promise<ExecuteOutcome> {
  const stop = await safePoint();
  if (stop?.why === 'ownership_lost') return { outcome: 'ownership_lost' };
  const final = stop
    ? await finalize(deps, { ...request, calls: { ...request.calls, stop }, candidate: null, workLeft: true })
    : await applyEdits(deps, request);
  return final ? { outcome: 'ended', ...final } : { outcome: 'ownership_lost' };
}

/** The checkpoint before it is saved, with its exit verify; null where nothing is done and nothing has failed: there is nothing to say. */
export async function candidateOf(
  deps: ExecutionDependencies,
  stepId: StepId,
  view: EpisodeView,
  calls: Pick<CallsResult, 'outcomes' | 'applicable'>,
): Promise<Candidate | null> {
  if (calls.outcomes.size === 0 && calls.applicable > 0) return null;
  const step = deps.steps[stepId];
  const body = step.assemble(view.inputs, calls.outcomes);
  return { body, report: await verifyStep(deps, step, view.inputs, body) };
}

/**
 * The error path, under the fence like every other write. Trouble that passes by itself hands the step back, so that the next
 * attempt goes on; anything else fails it, with the message on the row.
 */
async function endByError(deps: ExecutionDependencies, held: Held, error: unknown): Promise<ExecuteOutcome> {
  const code: ErrorCode = error instanceof AppError ? error.code : 'internal.unexpected';
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'step.ownership_lost') return { outcome: 'ownership_lost' };
  const passing = ERRORS[code].retryable;
  deps.log[passing ? 'warn' : 'error']({ ...held, err: error }, passing ? 'a step is handed back' : 'a step failed');
  const landed = await endWithoutCheckpoint(
    deps,
    held,
    passing
      ? { status: 'pending', message: null, recoveryReason: `handed back: ${code}` }
      : { status: 'failed', message: `${code}: ${message}`, recoveryReason: null },
  );
  if (!landed) return { outcome: 'ownership_lost' };
  return passing
    ? { outcome: 'ended', status: 'pending', code: 'step.handed_back', message: `${code}: ${message}` }
    : { outcome: 'ended', status: 'failed', code, message };
}

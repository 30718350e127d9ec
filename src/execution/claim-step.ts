import { shortTransaction } from '../db/transaction';
import { meetsNeed } from '../domain/status';
import type { ResumeDecision } from '../domain/decision';
import { STEP_NEEDS, type StepId } from '../domain/steps';
import type { Held } from '../ledger/held';
import type { StepKey } from '../ledger/key';
import { claimRow, type ActivityIdentity } from '../ledger/claim-row';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { readRow } from '../ledger/read-rows';
import { shareRun } from '../ledger/share-run';
import { recordDecision } from '../store/decisions';
import { judgeRow, mayActOn } from './decide-step';
import type { ExecutionDependencies } from './dependencies';
import type { Readers } from './dependents';
import { carryOutForce, clearDownstream, locksOfClaim, type ForceRequest } from './force';
import { expandStaleRow } from './stale-row';

export interface ClaimRequest {
  readonly key: StepKey & { readonly stepId: StepId };
  readonly decision: ResumeDecision;
  readonly activity: ActivityIdentity;
  readonly attempt: number;
  /** A force that has not been obeyed yet; null: none. */
  readonly force: ForceRequest | null;
  readonly dependents: ReadonlyMap<StepId, Readers> | null;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly held: Held }
  /** The row is not what the decision read, or a need is not met any more: decide again. */
  | { readonly outcome: 'miss' }
  | { readonly outcome: 'run_ended' }
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'downstream_running'; readonly step: StepId; readonly reason: string }
  /** A step downstream is dead by its heartbeat, and this process may not act on that yet. */
  | { readonly outcome: 'too_early'; readonly step: StepId; readonly reason: string };

/** Rolls the transaction back with a reason. */
class Refused extends Error {
  constructor(readonly outcome: Exclude<ClaimOutcome, { outcome: 'claimed' }>) {
    super(outcome.outcome);
  }
}

/**
 * Registers the run, then claims the step in one short transaction (spec 10 "Claim"): the run open and not cancelled, what
 * the step needs finished, the row still exactly what the decision read; for a force, archive and marks besides. Throws
 * db.lock_timeout and db.unavailable; the registry then holds nothing.
 */
export async function claimStep(deps: ExecutionDependencies, request: ClaimRequest): Promise<ClaimOutcome> {
  const { key, activity } = request;
  const held: Held = {
    ...key,
    runId: deps.newId(),
    bootId: deps.identity.bootId,
    workflowRunId: activity.workflowRunId,
  };
  deps.registry.register(held);
  let landed = false;
  try {
    await claimInTransaction(deps, request, held);
    landed = true;
    deps.registry.hold(held.runId);
    return { outcome: 'claimed', held };
  } catch (error) {
    if (error instanceof Refused) return error.outcome;
    throw error;
  } finally {
    if (!landed) deps.registry.drop(held.runId);
  }
}

function claimInTransaction(deps: ExecutionDependencies, request: ClaimRequest, held: Held): Promise<void> {
  const { key, decision, activity, force } = request;
  return shortTransaction(deps.db, `Claiming ${key.stepId}`, async (tx) => {
    const run = await shareRun(tx, activity.workflowRunId, key.stepId);
    if (!run.open) throw new Refused({ outcome: 'run_ended' });
    if (run.cancelled) throw new Refused({ outcome: 'cancelled' });
    const locked = await lockRowsInOrder(tx, key, locksOfClaim(key.stepId, force !== null));
    if (STEP_NEEDS[key.stepId].some((need) => !meetsNeed(locked.get(need)?.status)))
      throw new Refused({ outcome: 'miss' });
    if (force) {
      const { now } = await readRow(tx, key); // ages are told by the clock of this moment, after the locks
      const below = await clearDownstream(
        tx,
        key.stepId,
        locked,
        (row) => judgeRow(deps, row, now),
        (verdict) => mayActOn(deps, verdict, now),
        deps.log,
      );
      if (!below.ok)
        throw new Refused({
          outcome: below.mayAct ? 'downstream_running' : 'too_early',
          step: below.running,
          reason: below.verdict.reason,
        });
    }
    const claimed = await claimRow(tx, {
      key,
      newId: deps.newId(),
      runId: held.runId,
      owner: deps.identity,
      activity,
      expected: decision.expected,
      stealReason: decision.action === 'stale_running_recovery' ? `steal: ${decision.reason}` : null,
      promptVersion: deps.steps[key.stepId].promptVersion,
    });
    if (!claimed) throw new Refused({ outcome: 'miss' });
    await expandStaleRow(tx, key, decision.expected?.status);
    if (force) await carryOutForce(tx, key, force, request.dependents, locked);
    await recordDecision(tx, key, decision, {
      ...activity,
      madeBy: 'attempt',
      attempt: request.attempt,
      runId: held.runId,
    });
  });
}

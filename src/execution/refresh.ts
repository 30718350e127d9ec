import { shortTransaction } from '../db/transaction';
import { AppError } from '../domain/errors';
import type { StepId } from '../domain/steps';
import type { Held } from '../ledger/held';
import { adoptRow } from '../ledger/adopt-row';
import { readRow } from '../ledger/read-rows';
import { shareRun } from '../ledger/share-run';
import type { Buyer } from '../purchases/buyer';
import { attemptStep, toAttemptOutcome, type AttemptRequest } from './attempt';
import type { AttemptOutcome } from './attempt-outcome';
import type { ExecutionDependencies } from './dependencies';
import { executeAndFinalize } from './execute-and-finalize';

export interface RefreshRequest extends AttemptRequest {
  /** The run_id under which the first activity left the row; null: nothing to adopt. */
  readonly adoptToken: string | null;
}

/**
 * The second, deterministic activity of an editor step (spec 15 "Handing over"). It adopts the row, perhaps in another
 * process, and applies what was bought. If the row was reclaimed meanwhile, or an attempt of its own adopted it before and
 * died, it claims anew: the paid answer is kept as an item, and reused. Where that does not serve any more, the step ends failed
 * with t2i_review.victim_changed: another review is the first activity's to buy.
 */
export async function attemptRefresh(whole: ExecutionDependencies, asked: RefreshRequest): Promise<AttemptOutcome> {
  const deps = { ...whole, buyer: buyingNothing(whole.buyer, asked.key.stepId) };
  const request = { ...asked, editor: 'apply' as const };
  const { row } = await readRow(deps.db, request.key);
  // Another tool's mark, found by the first process: it has ended the row, and nothing is applied.
  if (row?.status === 'cancelled' && row.run_id === request.adoptToken)
    return { outcome: 'ended', status: 'cancelled', code: null, reason: 'Cancelled before it was applied.', ran: true };
  if (request.adoptToken === null || row?.status !== 'running' || row.run_id !== request.adoptToken)
    return attemptStep(deps, request);
  const held = await adopt(deps, request, request.adoptToken);
  if (!held)
    return {
      outcome: 'retry',
      code: 'step.ownership_lost',
      reason: `The row of ${request.key.stepId} changed while it was adopted.`,
    };
  // A cancel that came in between is found at the first safe point: nothing is applied, and the row ends cancelled.
  return toAttemptOutcome(await executeAndFinalize(deps, { ...request, held }), request.key.stepId);
}

/** Asked only where the kept answer is not one to what would be asked now; a cancel is found before. */
function buyingNothing(buyer: Buyer, stepId: StepId): Buyer {
  return {
    buy: () => {
      const why = `What ${stepId} reads has changed since its answer was bought, so that is not applied`;
      return Promise.reject(new AppError('t2i_review.victim_changed', `${why}; the next run asks anew.`));
    },
    inFlight: () => buyer.inFlight(),
    holds: (purchaseId) => buyer.holds(purchaseId),
  };
}

async function adopt(deps: ExecutionDependencies, request: RefreshRequest, token: string): Promise<Held | null> {
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
    landed = await shortTransaction(deps.db, `Adopting ${key.stepId}`, async (tx) => {
      const run = await shareRun(tx, activity.workflowRunId, key.stepId);
      return run.open && (await adoptRow(tx, key, { token, newRunId: held.runId, owner: deps.identity, activity }));
    });
    if (landed) deps.registry.hold(held.runId);
    return landed ? held : null;
  } finally {
    if (!landed) deps.registry.drop(held.runId);
  }
}

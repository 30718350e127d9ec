import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import { shortTransaction } from '../db/transaction';
import { RUN_STATES, worstState, type RunState } from '../domain/status';
import { isStepId, type StepId } from '../domain/steps';
import { judgeRow, mayActOn, warnOfUnknown } from '../execution/decide-step';
import type { JudgingDependencies } from '../execution/dependencies';
import { expandStaleRow } from '../execution/stale-row';
import { expectedOf, stillExactly } from '../ledger/matches';
import { readRows } from '../ledger/read-rows';
import { setIdleRow } from '../ledger/set-idle-row';
import type { CloseAnswer, CloseRequest, StepEnd } from '../workflows/contract';
import { endRun, lockRun, runById, type Run } from './open-runs';

export interface CloseDependencies extends JudgingDependencies {
  mayActOnHeartbeat(now: string): boolean;
  newId(): string;
}

const STATE_OF: Readonly<Record<StepEnd, RunState>> = {
  completed: 'done',
  not_applicable: 'done',
  partial: 'partial',
  failed: 'failed',
  cancelled: 'cancelled',
  blocked: 'blocked',
};

/**
 * The last activity of a run (spec 15 "Cancel"): while a row that bears this run is running under a live owner it waits; one
 * whose owner is dead it ends under the match, as `cancelled` where a cancel covers it. What was cancelled before it began, or
 * between attempts, becomes `cancelled`.
 */
export async function closeRun(deps: CloseDependencies, request: CloseRequest): Promise<CloseAnswer> {
  const { projectId, episodeId } = request.run;
  const before = await runById(deps.db, request.ledgerRunId);
  if (before && before.ended_at !== null) return endedBefore(before);
  const state = worstState(Object.values(request.results).map((end) => STATE_OF[end]));
  const { rows, now } = await readRows(deps.db, { projectId, episodeId });
  const mine = rows.filter((row) => row.workflow_run_id === request.ledgerRunId);
  const running = mine.filter((row) => row.status === 'running');
  const cancels = running.length === 0 ? new Set<string>() : await cancelsOf(deps.db, request.ledgerRunId);
  let waiting = false;
  for (const row of running) {
    const verdict = judgeRow(deps, row, now);
    const ended =
      verdict.verdict === 'dead' &&
      mayActOn(deps, verdict, now) &&
      (await endDeadRow(
        deps,
        row,
        cancels.has('*') || cancels.has(row.step_id) ? 'cancelled' : 'failed',
        verdict.reason,
      ));
    warnOfUnknown(deps.log, row, verdict);
    if (ended) deps.log.warn({ row, verdict }, 'the run closes: the step of a dead owner is ended');
    else waiting = true;
  }
  if (waiting) return { waiting, state };
  return shortTransaction(deps.db, 'Closing the run', async (tx) => {
    const run = await lockRun(tx, request.ledgerRunId);
    if (run && run.ended_at !== null) return endedBefore(run);
    // Read again under the lock, which every claim of this run waits for: one that came before it is seen now.
    const { rows: locked } = await readRows(tx, { projectId, episodeId });
    if (locked.some((row) => row.workflow_run_id === request.ledgerRunId && row.status === 'running'))
      return { waiting: true, state };
    await cancelWhatWaited(deps, tx, request, locked);
    await endRun(tx, request.ledgerRunId, state);
    return { waiting: false, state };
  });
}

/** A late second attempt of this activity: the rows may belong to a later run by now, and none is touched. */
function endedBefore(run: Run): CloseAnswer {
  return { waiting: false, state: RUN_STATES.find((state) => state === run.state) ?? 'failed' };
}

function endDeadRow(
  deps: CloseDependencies,
  row: StepRun,
  status: 'cancelled' | 'failed',
  reason: string,
): Promise<boolean> {
  return shortTransaction(deps.db, `Ending ${row.step_id} of a dead owner`, async (tx) => {
    const ended = await tx
      .updateTable('step_run')
      .set({
        status,
        error_message: `The run closed: ${reason}.`,
        last_recovery_reason: `run closed: ${reason}`,
        recovery_count: sql`recovery_count + 1`,
        completed_at: sql`callsheet_now()`,
        updated_at: sql`callsheet_now()`,
      })
      .where('id', '=', row.id)
      .where(stillExactly(expectedOf(row)))
      .returning('id')
      .executeTakeFirst();
    return ended !== undefined;
  });
}

/** The steps whose cancel the run has; '*': all. */
async function cancelsOf(db: Db | Tx, ledgerRunId: string): Promise<ReadonlySet<string>> {
  const cancels = await db.selectFrom('run_cancel').select('step').where('workflow_run_id', '=', ledgerRunId).execute();
  return new Set(cancels.map((cancel) => cancel.step));
}

/** Rows of a cancelled step that never began in this run, or stood between two attempts; a completed one stays. */
async function cancelWhatWaited(
  deps: CloseDependencies,
  tx: Tx,
  request: CloseRequest,
  rows: readonly StepRun[],
): Promise<void> {
  const named = await cancelsOf(tx, request.ledgerRunId);
  if (named.size === 0) return;
  const steps = request.run.chosen.filter(
    (step) => request.results[step] === undefined || request.results[step] === 'cancelled',
  );
  for (const step of steps) {
    const row = rows.find((candidate) => candidate.step_id === step) ?? null;
    const startedHere = row?.workflow_run_id === request.ledgerRunId;
    if (!named.has(step) && !(named.has('*') && startedHere)) continue;
    // A force that had not begun leaves the row as it was (spec 15 "Cancel").
    if (!startedHere && (request.run.force.includes(step) || request.run.items[step])) continue;
    if (row && !['pending', 'failed', 'stale', 'partial'].includes(row.status)) continue;
    await cancelIdleRow(deps, tx, request, step, row);
  }
}

async function cancelIdleRow(
  deps: CloseDependencies,
  tx: Tx,
  request: CloseRequest,
  step: StepId,
  row: StepRun | null,
): Promise<void> {
  if (!isStepId(step)) return;
  const { projectId, episodeId } = request.run;
  const key = { projectId, episodeId, stepId: step };
  const landed = await setIdleRow(tx, key, deps.newId(), row && expectedOf(row), {
    status: 'cancelled',
    errorMessage: 'Cancelled before it began.',
  });
  // A miss means that someone else has taken the step meanwhile: theirs it is.
  if (landed) await expandStaleRow(tx, key, row?.status);
}

import type { CancelMeterBody } from '../../bodies/status';
import type { Tx } from '../../db/pool';
import type { StepRun } from '../../db/tables';
import { parseTime } from '../../domain/time';
import { isExpired } from '../../purchases/read-request';
import { sumUsd } from './dollars';

export interface MeteredRun {
  readonly workflow_run_id: string;
  readonly ended_at: string | null;
}

interface Mark {
  readonly workflow_run_id: string;
  readonly step: string;
  readonly at: string;
  readonly by: string;
}

const EVERYTHING = '*';

/**
 * What a cancel of these runs has come to (spec 40 "Cancel with a meter"): calls in flight with their age by the database's clock, the
 * dollars they commit, and items not started. Null where nobody asked for one. Writes nothing.
 */
export async function readCancelMeter(
  tx: Tx,
  runs: readonly MeteredRun[],
  rows: readonly StepRun[],
  now: string,
): Promise<CancelMeterBody | null> {
  if (runs.length === 0) return null;
  const ids = runs.map((run) => run.workflow_run_id);
  const marks = await tx
    .selectFrom('run_cancel')
    .select(['workflow_run_id', 'step', 'at', 'by'])
    .where('workflow_run_id', 'in', ids)
    .orderBy('at')
    .execute();
  const [first] = marks;
  if (!first) return null;
  const covers = (runId: string | null, step: string): boolean =>
    marks.some((mark) => mark.workflow_run_id === runId && (mark.step === EVERYTHING || mark.step === step));
  const sent = await tx
    .selectFrom('purchase')
    .select(['id', 'step_id', 'item_id', 'sent_at', 'estimated_cost_usd', 'workflow_run_id'])
    .where('workflow_run_id', 'in', ids)
    .where('status', '=', 'sent')
    // One that is over time counts as in doubt: nobody may be left to fetch it, and nothing drains.
    .where((row) => row.not(isExpired))
    .orderBy('sent_at')
    .orderBy('id')
    .execute();
  const inFlight = sent.filter((purchase) => covers(purchase.workflow_run_id, purchase.step_id));
  const covered = rows.filter((row) => covers(row.workflow_run_id, row.step_id));
  return {
    state: stateOf(runs, marks, covered, inFlight.length),
    requestedAt: first.at,
    by: first.by,
    steps: [...new Set(marks.map((mark) => mark.step))].sort(),
    callsInFlight: inFlight.map((purchase) => ({
      purchaseId: purchase.id,
      stepId: purchase.step_id,
      itemId: purchase.item_id,
      ageSeconds: secondsBetween(purchase.sent_at, now),
    })),
    committedUsd: sumUsd(inFlight.map((purchase) => Number(purchase.estimated_cost_usd))),
    itemsNotStarted: covered.reduce((sum, row) => sum + notStarted(row, inFlight), 0),
  };
}

function stateOf(
  runs: readonly MeteredRun[],
  marks: readonly Mark[],
  covered: readonly StepRun[],
  callsInFlight: number,
): CancelMeterBody['state'] {
  if (callsInFlight > 0) return 'draining';
  if (covered.some((row) => row.status === 'running')) return 'requested';
  // A run of which everything is cancelled closes itself a moment later.
  const closes = runs.some(
    (run) =>
      run.ended_at === null &&
      marks.some((mark) => mark.workflow_run_id === run.workflow_run_id && mark.step === EVERYTHING),
  );
  return closes ? 'requested' : 'cancelled';
}

function notStarted(row: StepRun, inFlight: readonly { readonly step_id: string; readonly item_id: string }[]): number {
  const asked = inFlight
    .filter((purchase) => purchase.step_id === row.step_id)
    .reduce((sum, purchase) => sum + purchase.item_id.split(',').length, 0);
  const done = (row.completed_count ?? 0) + (row.failed_count ?? 0);
  return Math.max(0, (row.applicable_count ?? 0) - done - asked);
}

function secondsBetween(from: string, to: string): number {
  const [begin, end] = [parseTime(from), parseTime(to)];
  return begin === null || end === null ? 0 : Math.max(0, Math.round((end - begin) / 1_000));
}

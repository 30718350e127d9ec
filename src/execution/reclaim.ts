import { withDatabaseErrors } from '../db/errors';
import { shortTransaction } from '../db/transaction';
import type { StepRun } from '../db/tables';
import { AppError } from '../domain/errors';
import { sameHost, type Verdict } from '../domain/verdict';
import { failDeadRow } from '../ledger/fail-dead-row';
import { readRows } from '../ledger/read-rows';
import { judgeRow } from './decide-step';
import type { JudgingDependencies } from './dependencies';

/** Tells Temporal that the attempt of a reclaimed row has failed, so that the next one starts now (spec 15 "Fast takeover"). */
export type TellTemporal = (row: StepRun, reason: string) => Promise<unknown>;

export interface Reclaimed {
  readonly reclaimed: readonly StepRun[];
  readonly left: number;
}

/**
 * Start-up reclaim and sweep (spec 10): of the running rows of this host, those whose owner is proved gone become `failed`,
 * under the match; only then is Temporal told. Branch 3 at start-up; the sweep does branch 1, too: a claim of its own whose
 * answer was lost. Branches 4 and 5 are left to the attempt that wants the step.
 */
export async function reclaimDeadRows(
  deps: JudgingDependencies,
  by: 'startup reclaim' | 'sweep',
  tellTemporal: TellTemporal,
): Promise<Reclaimed> {
  const { rows, now } = await withDatabaseErrors(`Reading the running rows for the ${by}`, () =>
    readRows(deps.db, { status: 'running', ownerHost: deps.identity.host }),
  );
  const reclaimed: StepRun[] = [];
  let left = 0;
  for (const row of rows) {
    if (!sameHost(row, deps.identity)) continue;
    const verdict = judgeRow(deps, row, now);
    if (verdict.verdict === 'unknown') sayOnce(deps, row, verdict, by);
    if (!isProved(verdict, by)) {
      left += 1;
      continue;
    }
    const landed = await failRow(deps, by, row);
    if (landed === 'database away') return { reclaimed, left: rows.length - reclaimed.length };
    if (landed !== 'failed') {
      left += 1;
      continue;
    }
    deps.log.warn({ row, step: row.step_id, runId: row.run_id, verdict }, `${by}: owner process gone`);
    reclaimed.push(row);
    await tellTemporal(row, `${by}: owner process gone`);
  }
  return { reclaimed, left };
}

/** A row that someone holds, or a database that goes away, is no reason to stop: the next sweep finishes what is left over. */
async function failRow(
  deps: JudgingDependencies,
  by: string,
  row: StepRun,
): Promise<'failed' | 'changed' | 'held' | 'database away'> {
  try {
    const landed = await shortTransaction(deps.db, `${by} of ${row.step_id}`, (tx) =>
      failDeadRow(tx, row, `${by}: owner process gone`),
    );
    return landed ? 'failed' : 'changed';
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'db.unavailable' && error.code !== 'db.lock_timeout'))
      throw error;
    deps.log.warn(
      { row: row.id, step: row.step_id, code: error.code, by },
      'a dead row could not be reclaimed yet; the next sweep goes on',
    );
    return error.code === 'db.lock_timeout' ? 'held' : 'database away';
  }
}

/** For each process, the runs that it has called unknown: a sweep comes every few seconds, and meets the same row again. */
const saidUnknown = new WeakMap<object, Set<string>>();

function sayOnce(deps: JudgingDependencies, row: StepRun, verdict: Verdict, by: string): void {
  const said = saidUnknown.get(deps.registry) ?? new Set();
  saidUnknown.set(deps.registry, said);
  const run = `${row.id} ${row.run_id ?? ''}`;
  if (said.has(run)) return;
  said.add(run);
  deps.log.warn({ row, verdict, by }, 'a running row cannot be judged');
}

function isProved({ verdict, branch }: Verdict, by: 'startup reclaim' | 'sweep'): boolean {
  return verdict === 'dead' && (branch === 3 || (branch === 1 && by === 'sweep'));
}

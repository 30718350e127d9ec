import { sql, type RawBuilder } from 'kysely';
import { withDatabaseErrors } from '../../db/errors';
import type { Db, Tx } from '../../db/pool';
import { atRiskUsd, chargedUsd, reservedUsd } from '../../purchases/committed';
import { onOneSnapshot } from './database-now';

export interface DecisionFigure {
  readonly step_id: string;
  readonly made_by: string;
  readonly action: string;
  readonly code: string | null;
  /** It led to a claim. */
  readonly claimed: boolean;
  readonly count: number;
}

export interface PurchaseFigure {
  readonly provider: string;
  readonly model: string;
  readonly status: string;
  readonly count: number;
  /** By definite answers. */
  readonly cost_usd: number;
  /** Estimates of calls that may have been charged, or are on their way: by the sums of status and budget (spec 40). */
  readonly open_usd: number;
}

/** A distribution as Prometheus keeps it: counts up to each bound, in seconds. */
export interface Distribution {
  readonly label: string;
  readonly buckets: readonly { readonly le: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

export type LedgerFigures = Awaited<ReturnType<typeof readIn>>;

const CALL_BOUNDS = [1, 2.5, 5, 10, 30, 60, 90, 120, 300];
const QUEUE_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

/** What the ledger says of all runs since the beginning, on one snapshot (spec 20 "Counters", spec 50 `/metrics`). Throws db.unavailable. */
export function ledgerFigures(db: Db): Promise<{ readonly [key in keyof LedgerFigures]: LedgerFigures[key] }> {
  return withDatabaseErrors('Reading the figures failed', () => onOneSnapshot(db, readIn));
}

async function readIn(tx: Tx) {
  const decisions = await sql<DecisionFigure>`
    SELECT step_id, made_by, action, code, run_id IS NOT NULL AS claimed, count(*)::float8 AS count
    FROM step_decision GROUP BY 1, 2, 3, 4, 5`.execute(tx);
  const refusedStarts = await sql<{ code: string | null; count: number }>`
    SELECT plan::json ->> 'code' AS code, count(*)::float8 AS count FROM run WHERE state = 'blocked' AND plan IS NOT NULL GROUP BY 1`.execute(
    tx,
  );
  // On the way out a crashed verifier refuses nothing: it fails the step, with its code in front of the message.
  const exitCrashes = await sql<{ count: number }>`
    SELECT count(*)::float8 AS count FROM event WHERE status = 'failed' AND error_message LIKE 'step.verify_crashed:%'`.execute(
    tx,
  );
  const steps = await sql<{ status: string; count: number; recoveries: number }>`
    SELECT status, count(*)::float8 AS count, sum(recovery_count)::float8 AS recoveries FROM step_run GROUP BY 1`.execute(
    tx,
  );
  const runs = await sql<{
    state: string;
    count: number;
  }>`SELECT state, count(*)::float8 AS count FROM run GROUP BY 1`.execute(tx);
  const purchases = await sql<PurchaseFigure>`
    SELECT p.provider, p.model, p.status, count(*)::float8 AS count,
           sum(${chargedUsd})::float8 AS cost_usd, sum(${reservedUsd} + ${atRiskUsd})::float8 AS open_usd
    FROM purchase AS p GROUP BY 1, 2, 3`.execute(tx);
  const acts = await sql<{
    act: string;
    count: number;
  }>`SELECT act, count(*)::float8 AS count FROM audit GROUP BY 1`.execute(tx);
  return {
    decisions: decisions.rows,
    refusedStarts: refusedStarts.rows,
    exitCrashes: exitCrashes.rows[0]?.count ?? 0,
    steps: steps.rows,
    runs: runs.rows,
    purchases: purchases.rows,
    acts: acts.rows,
    callSeconds: await distribution(tx, sql`provider`, sql`sent_at`, sql`settled_at`, sql`purchase`, CALL_BOUNDS),
    queueSeconds: await distribution(tx, sql`'run'`, sql`accepted_at`, sql`opened_at`, sql`run`, QUEUE_BOUNDS),
  };
}

/** Our own times only, and of those only such as can be cast; a pair that cannot be read is left out. */
async function distribution(
  tx: Tx,
  label: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
  bounds: readonly number[],
): Promise<Distribution[]> {
  const time = (column: RawBuilder<unknown>) =>
    sql`CASE WHEN ${column} ~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9][.][0-9]{6}Z$' THEN ${column}::timestamptz END`;
  const { rows } = await sql<{ label: string; sum: number; count: number; upto: number[] }>`
    WITH lasted AS (
      SELECT ${label} AS label, greatest(extract(epoch FROM ${time(to)} - ${time(from)}), 0)::float8 AS seconds FROM ${table}
    )
    SELECT label, sum(seconds) AS sum, count(*)::float8 AS count,
           ARRAY[${sql.join(bounds.map((bound) => sql`count(*) FILTER (WHERE seconds <= ${bound})::float8`))}] AS upto
    FROM lasted WHERE seconds IS NOT NULL GROUP BY 1 ORDER BY 1`.execute(tx);
  return rows.map((row) => ({
    label: row.label,
    buckets: bounds.map((le, index) => ({ le, count: row.upto[index] ?? 0 })),
    sum: row.sum,
    count: row.count,
  }));
}

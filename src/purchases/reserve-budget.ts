import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import { atRiskUsd, chargedUsd, reservedUsd } from './committed';
import { lockCaps, type Cap } from './lock-caps';
import { toNumeric } from './money';

export interface Exhausted {
  readonly cap: Cap;
  readonly committedUsd: number;
}

export interface Reservation {
  readonly projectId: string;
  readonly workflowRunId: string | null;
  readonly estimateUsd: number;
  /** Purchases whose reserve the new one takes over. */
  readonly replaced: readonly string[];
}

interface Sum {
  readonly committed: string;
  readonly over: boolean;
}

/** Charged, awaited and at risk, of a project or of one run of it; compared in PostgreSQL, where decimals are exact. */
async function sumUnder(tx: Tx, cap: Cap, { projectId, estimateUsd, replaced }: Reservation): Promise<Sum> {
  const ofRun = cap.run === '*' ? sql`true` : sql`p.workflow_run_id = ${cap.run}`;
  const answer = await sql<Sum>`
    SELECT total AS committed, total + ${toNumeric(estimateUsd)}::numeric > ${toNumeric(cap.capUsd)}::numeric AS over
    FROM (
      SELECT COALESCE(sum(${chargedUsd} + ${reservedUsd} + ${atRiskUsd}), 0) AS total
      FROM purchase AS p WHERE p.project_id = ${projectId} AND ${ofRun} AND p.id <> ALL (${[...replaced]}::text[])
    ) AS sums`.execute(tx);
  return answer.rows[0]!;
}

/**
 * Is there room for one more call of that estimate? The reserve itself is the row that this transaction then writes as `sent`.
 * Null: there is. The caps stay locked until the transaction ends.
 */
export async function findExhausted(tx: Tx, reservation: Reservation): Promise<Exhausted | null> {
  for (const cap of await lockCaps(tx, reservation.projectId, reservation.workflowRunId)) {
    const sum = await sumUnder(tx, cap, reservation);
    if (sum.over) return { cap, committedUsd: Number(sum.committed) };
  }
  return null;
}

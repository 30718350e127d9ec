import type { Db, Tx } from '../db/pool';
import { withoutNul } from './decisions';

export interface AuditEntry {
  readonly by: string;
  readonly act: string;
  readonly projectId: string | null;
  readonly episodeId: string | null;
  readonly stepId?: string | null;
  readonly runId?: string | null;
  readonly verdict?: string | null;
  readonly forced?: boolean | null;
  readonly reason?: string | null;
  readonly details?: unknown;
}

/** Writes who did what, when, and why; in one transaction with the act. */
export async function audit(db: Db | Tx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      by: entry.by,
      act: entry.act,
      project_id: entry.projectId,
      episode_id: entry.episodeId,
      step_id: entry.stepId ?? null,
      run_id: entry.runId ?? null,
      verdict: entry.verdict ?? null,
      forced: entry.forced ?? null,
      reason: entry.reason === undefined || entry.reason === null ? null : withoutNul(entry.reason),
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute();
}

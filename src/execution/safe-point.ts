import type { Db } from '../db/pool';
import { withDatabaseErrors } from '../db/errors';
import { AppError } from '../domain/errors';
import type { SafePoint, Stop } from '../domain/stop';
import type { Held } from '../ledger/held';
import type { Registry } from './registry';

interface SafePointDependencies {
  readonly db: Db;
  readonly registry: Registry;
  sleep(ms: number): Promise<void>;
}

/**
 * The safe point of a held run (spec 15 "Cancel"): has another taken the row, has Temporal or the process asked to stop, does
 * a cancel stand? One read of the ledger; while the database is away it waits, and work does not go on without an answer.
 */
export function safePointOf(deps: SafePointDependencies, held: Held, stopRequested: () => Stop | null): SafePoint {
  return async () => {
    for (;;) {
      if (deps.registry.isLost(held.runId)) return { why: 'ownership_lost' };
      const asked = stopRequested();
      if (asked) return asked;
      try {
        return await withDatabaseErrors('Looking at a safe point', () => readStop(deps.db, held));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'db.unavailable') throw error;
        await deps.sleep(1_000);
      }
    }
  };
}

async function readStop(db: Db, held: Held): Promise<Stop | null> {
  const found = await db
    .selectFrom('step_run')
    .select((eb) => [
      'step_run.cancel_requested_at',
      eb
        .exists(
          eb
            .selectFrom('run_cancel')
            .select('run_cancel.step')
            .where('run_cancel.workflow_run_id', '=', held.workflowRunId)
            .where('run_cancel.step', 'in', [held.stepId, '*']),
        )
        .as('cancelled'),
    ])
    .where('project_id', '=', held.projectId)
    .where('episode_id', '=', held.episodeId)
    .where('step_id', '=', held.stepId)
    .where('run_id', '=', held.runId)
    .where('owner_boot_id', '=', held.bootId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (!found) return { why: 'ownership_lost' };
  return found.cancelled || found.cancel_requested_at !== null ? { why: 'cancelled' } : null;
}

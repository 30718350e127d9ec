import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import type { Verdict } from '../domain/verdict';
import { STEP_NEEDS, downstreamOf, type StepId } from '../domain/steps';
import { failDeadRow } from '../ledger/fail-dead-row';
import type { StepKey } from '../ledger/key';
import { archiveCheckpoints } from '../store/checkpoints';
import { WHOLE_STEP, openGeneration } from '../store/generations';
import { archiveItems } from '../store/items';
import { markStale } from '../store/stale-marks';
import { audit } from '../store/audit';

/** A request to force a step, or only some of its items. */
export interface ForceRequest {
  readonly requestId: string;
  /** null: the whole step. */
  readonly items: readonly string[] | null;
  readonly by: string;
}

export type ForcePreparation = { readonly ok: true } | { readonly ok: false; readonly running: StepId; readonly verdict: Verdict };

/**
 * Before the claim of a force, in its transaction, with all rows locked in manifest order: a downstream row that runs rolls
 * the claim back; a dead one is failed first, under its match (spec 20 "Force is obeyed once").
 */
export async function clearDownstream(
  tx: Tx,
  stepId: StepId,
  locked: ReadonlyMap<StepId, StepRun>,
  judge: (row: StepRun) => Verdict,
): Promise<ForcePreparation> {
  for (const below of downstreamOf(stepId)) {
    const row = locked.get(below);
    if (row?.status !== 'running') continue;
    const verdict = judge(row);
    if (verdict.verdict !== 'dead' || !(await failDeadRow(tx, row, `forced ${stepId}: ${verdict.reason}`)))
      return { ok: false, running: below, verdict };
  }
  return { ok: true };
}

/**
 * After the claim, in its transaction: notes the request, archives what the step made, makes everything downstream stale
 * (spec 20 "Force is obeyed once"). `dependents`: for a force of items, the items downstream whose request reads them.
 */
export async function carryOutForce(
  tx: Tx,
  key: StepKey & { readonly stepId: StepId },
  force: ForceRequest,
  dependents: ReadonlyMap<StepId, readonly string[]> | null,
): Promise<void> {
  await openGeneration(tx, key, force.requestId, force.items ?? [WHOLE_STEP]);
  await archiveItems(tx, key, force.items ?? undefined);
  if (!force.items) await archiveCheckpoints(tx, key);
  const marked: StepId[] = [];
  for (const below of downstreamOf(key.stepId)) {
    const items = dependents?.get(below);
    if (dependents && !items?.length) continue;
    await markStale(tx, { ...key, stepId: below }, 'force', force.requestId, items);
    await makeRowStale(tx, { ...key, stepId: below });
    marked.push(below);
  }
  await audit(tx, {
    by: force.by,
    act: 'force',
    projectId: key.projectId,
    episodeId: key.episodeId,
    stepId: key.stepId,
    details: { requestId: force.requestId, items: force.items, stale: marked },
  });
}

/** Stale become completed, partial, failed, cancelled, not_applicable; pending stays pending, and no rows are made. */
export async function makeRowStale(tx: Tx, key: StepKey): Promise<void> {
  await tx
    .updateTable('step_run')
    .set({ status: 'stale', updated_at: sql`callsheet_now()` })
    .where('project_id', '=', key.projectId)
    .where('episode_id', '=', key.episodeId)
    .where('step_id', '=', key.stepId)
    .where('status', 'in', ['completed', 'partial', 'failed', 'cancelled', 'not_applicable'])
    .execute();
}

/** The rows that a claim locks: what the step needs for sharing; by force, itself and everything downstream for writing. */
export function locksOfClaim(stepId: StepId, forced: boolean): ReadonlyMap<StepId, 'share' | 'update'> {
  const locks = new Map<StepId, 'share' | 'update'>(STEP_NEEDS[stepId].map((need) => [need, 'share']));
  if (!forced) return locks;
  for (const step of [stepId, ...downstreamOf(stepId)]) locks.set(step, 'update');
  return locks;
}

import type { Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import type { Logger } from '../observability/logger';
import type { Verdict } from '../domain/verdict';
import { STEP_NEEDS, downstreamOf, type StepId } from '../domain/steps';
import { makeRowStale } from '../ledger/make-row-stale';
import { failDeadRow } from '../ledger/fail-dead-row';
import type { StepKey } from '../ledger/key';
import { archiveCheckpoints } from '../store/checkpoints';
import { WHOLE_STEP, openGeneration } from '../store/generations';
import { archiveItems, keptItems } from '../store/items';
import { markStale } from '../store/stale-marks';
import { audit } from '../store/audit';
import { warnOfUnknown } from './decide-step';
import { readersAhead, type Readers } from './dependents';
import { markItemsStale } from './mark-items';

/** A request to force a step, or only some of its items. */
export interface ForceRequest {
  readonly requestId: string;
  /** null: the whole step. */
  readonly items: readonly string[] | null;
  readonly by: string;
}

export type ForcePreparation =
  | { readonly ok: true }
  /** `mayAct` false: dead by its heartbeat, and this process has not beaten long enough to act on that. */
  | { readonly ok: false; readonly running: StepId; readonly verdict: Verdict; readonly mayAct: boolean };

/**
 * Before the claim of a force, in its transaction, with all rows locked in manifest order: a downstream row that runs rolls
 * the claim back; a dead one is failed first, under its match (spec 20 "Force is obeyed once").
 */
export async function clearDownstream(
  tx: Tx,
  stepId: StepId,
  locked: ReadonlyMap<StepId, StepRun>,
  judge: (row: StepRun) => Verdict,
  mayActOn: (verdict: Verdict) => boolean,
  log: Logger,
): Promise<ForcePreparation> {
  for (const below of downstreamOf(stepId)) {
    const row = locked.get(below);
    if (row?.status !== 'running') continue;
    const verdict = judge(row);
    warnOfUnknown(log, row, verdict);
    if (!mayActOn(verdict)) return { ok: false, running: below, verdict, mayAct: false };
    if (verdict.verdict !== 'dead' || !(await failDeadRow(tx, row, `forced ${stepId}: ${verdict.reason}`)))
      return { ok: false, running: below, verdict, mayAct: true };
    log.warn({ row, verdict }, 'a force fails the step of a dead owner');
  }
  return { ok: true };
}

/**
 * After the claim, in its transaction: notes the request, archives what the step made, makes everything downstream stale
 * (spec 20 "Force is obeyed once"). `dependents`: for a force of items, the items downstream whose request reads them. `locked`:
 * the rows as the claim has locked them.
 */
export async function carryOutForce(
  tx: Tx,
  key: StepKey & { readonly stepId: StepId },
  force: ForceRequest,
  dependents: ReadonlyMap<StepId, Readers> | null,
  locked: ReadonlyMap<StepId, StepRun>,
): Promise<void> {
  await openGeneration(tx, key, force.requestId, force.items ?? [WHOLE_STEP]);
  await archiveItems(tx, key, force.items ?? undefined);
  if (!force.items) await archiveCheckpoints(tx, key);
  const marked: StepId[] = [];
  for (const below of downstreamOf(key.stepId)) {
    const belowKey = { ...key, stepId: below };
    if (dependents) {
      const readers = dependents.get(below) ?? null;
      const items = readersAhead(readers, await keptItems(tx, belowKey), locked.get(below)?.status);
      await markItemsStale(tx, belowKey, 'force', force.requestId, items);
      if (items.length > 0) marked.push(below);
      continue;
    }
    await markStale(tx, belowKey, 'force', force.requestId);
    await makeRowStale(tx, belowKey);
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

/** The rows that a claim locks: what the step needs for sharing; by force, itself and everything downstream for writing. */
export function locksOfClaim(stepId: StepId, forced: boolean): ReadonlyMap<StepId, 'share' | 'update'> {
  const locks = new Map<StepId, 'share' | 'update'>(STEP_NEEDS[stepId].map((need) => [need, 'share']));
  if (!forced) return locks;
  for (const step of [stepId, ...downstreamOf(stepId)]) locks.set(step, 'update');
  return locks;
}

import type { Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { AppError } from '../domain/errors';
import type { Json } from '../domain/json';
import { STEP_IDS, downstreamOf, type StepId } from '../domain/steps';
import { endRow } from '../ledger/end-row';
import { lockHeldRow } from '../ledger/fence';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { editVictims, type Edit } from '../pipeline/t2i-review/edit';
import { t2iReviewSchema, type T2iReview } from '../pipeline/t2i-review/schema';
import { audit } from '../store/audit';
import { currentCheckpoints, saveCheckpoint, type Checkpoint } from '../store/checkpoints';
import { keepItem, keptItems } from '../store/items';
import { staleMarks } from '../store/stale-marks';
import { configHashes } from './decide-step';
import { itemsThatRead } from './dependents';
import type { ExecutionDependencies } from './dependencies';
import { unfinishedAbove, withBodies } from './episode-view';
import { markReadersStale } from './mark-items';
import { finalStatus, type FinalStatus } from './final-status';
import { evidenceOf, type Candidate, type FinalizeRequest } from './finalize';
import { untilWritten } from './until-written';
import { verifyStep } from './verify-step';

export type EditRequest = Omit<FinalizeRequest, 'candidate' | 'workLeft'> & { readonly candidate: Candidate };

/**
 * The deterministic half of an editor step (spec 20 "Editor steps"), all in one transaction under the fence: the victims are
 * locked and must be at the versions that the review read; what comes after is locked, too, so that a step which runs there ends
 * before this, or finds its marks; corrections are applied, sentinels refreshed at exactly the changed
 * positions; the victims' own verify must be clean; then victims, marks, checkpoint and status are written together. null:
 * ownership was lost. Throws AppError t2i_review.*: then nothing of it stands.
 */
export function applyEdits(deps: ExecutionDependencies, request: EditRequest): Promise<FinalStatus | null> {
  const { held, step } = request;
  const doing = `Applying the edits of ${step.id}`;
  return untilWritten(deps, doing, () =>
    shortTransaction(deps.db, doing, async (tx) => {
      const rows = await lockRowsInOrder(
        tx,
        held,
        new Map([...step.modifiesCheckpoints, step.id, ...downstreamOf(step.id)].map((id) => [id, 'update' as const])),
      );
      if (!(await lockHeldRow(tx, held))) return null;
      const review = t2iReviewSchema.parse(request.candidate.body);
      const checkpoints = await currentCheckpoints(tx, held.projectId, held.episodeId);
      const victims = step.modifiesCheckpoints.filter((id) => rows.get(id)?.status !== 'not_applicable');
      requireUnchanged(victims, review, checkpoints, (id) => rows.get(id)?.status);
      const edit = editVictims(
        { entity_t2i: bodyOf(checkpoints.get('entity_t2i')), scene_detail: bodyOf(checkpoints.get('scene_detail')) },
        review.corrections,
      );
      await requireClean(deps, request, edit);
      await saveVictims(deps, tx, request, edit, checkpoints);
      await markReaders(deps, tx, request, edit, (id) => rows.get(id)?.status);
      return saveReview(tx, request);
    }),
  );
}

function bodyOf(checkpoint: Checkpoint | undefined): Json | undefined {
  return checkpoint?.body as Json | undefined;
}

function requireUnchanged(
  victims: readonly StepId[],
  review: T2iReview,
  checkpoints: ReadonlyMap<string, Checkpoint>,
  statusOf: (step: StepId) => string | undefined,
): void {
  for (const victim of victims) {
    const read = (review.reviewed as Readonly<Record<string, number>>)[victim];
    const version = checkpoints.get(victim)?.version ?? 0;
    if (statusOf(victim) !== 'completed' || version !== read)
      throw new AppError(
        't2i_review.victim_changed',
        `${victim} is ${statusOf(victim) ?? 'absent'} at version ${version}; the review read version ${read ?? 0}.`,
      );
  }
}

/** The victims' own verify on what would be saved, in the same transaction. */
async function requireClean(deps: ExecutionDependencies, { view }: EditRequest, edit: Edit): Promise<void> {
  const inputs = withBodies(view.inputs, bodiesOf(edit));
  for (const victim of edit.changedSteps) {
    const report = await verifyStep(deps, deps.steps[victim], inputs, bodiesOf(edit).get(victim));
    if (!report.isComplete)
      throw new AppError(
        't2i_review.victim_verify_failed',
        `${victim} would not verify (origin=${report.origin}): ${report.missing.slice(0, 5).join('; ')}.`,
      );
  }
}

function bodiesOf(edit: Edit): ReadonlyMap<StepId, Json> {
  return new Map(edit.changedSteps.map((step) => [step, edit.bodies[step as keyof Edit['bodies']]!]));
}

/** A new version of each changed victim, and of the items kept for it, so that a later rerun does not undo the edit. */
async function saveVictims(
  deps: ExecutionDependencies,
  tx: Tx,
  { held, step, view }: EditRequest,
  edit: Edit,
  checkpoints: ReadonlyMap<string, Checkpoint>,
): Promise<void> {
  for (const [victim, body] of bodiesOf(edit)) {
    const key = { ...held, stepId: victim };
    const before = checkpoints.get(victim)!;
    const { schemaVersion } = before;
    await saveCheckpoint(tx, key, {
      schemaVersion,
      configHashes: before.configHashes,
      body,
      status: before.status,
      runId: before.runId,
      writtenBy: step.id,
    });
    const kept = await keptItems(tx, key);
    for (const item of edit.items) {
      const old = item.stepId === victim ? kept.get(item.itemId) : undefined;
      if (old) await keepItem(tx, key, { ...old, result: item.result, purchaseId: null, runId: held.runId });
    }
  }
  await audit(tx, {
    by: step.id,
    act: 'edit',
    projectId: held.projectId,
    episodeId: held.episodeId,
    stepId: step.id,
    runId: held.runId,
    details: {
      changed: edit.items.map(({ stepId, itemId }) => ({ stepId, itemId })),
      config: configHashes(deps.steps[step.id], view.config),
    },
  });
}

/** Of the steps after the editor, the items whose request reads a changed prompt must be looked at again (spec 20 "Items"). */
async function markReaders(
  deps: ExecutionDependencies,
  tx: Tx,
  { held, step, view }: EditRequest,
  edit: Edit,
  statusOf: (step: StepId) => string | undefined,
): Promise<void> {
  if (edit.changed.length === 0) return;
  const after = downstreamOf(step.id);
  const reading = itemsThatRead(
    STEP_IDS.filter((id) => after.includes(id)).map((id) => deps.steps[id]),
    view.inputs,
    withBodies(view.inputs, bodiesOf(edit)),
  );
  for (const [stepId, readers] of reading)
    await markReadersStale(tx, { ...held, stepId }, 'editor', readers, statusOf(stepId));
}

/** Its own checkpoint and end; a mark that is left on the review itself keeps it partial. */
async function saveReview(tx: Tx, { held, step, view, calls, candidate }: EditRequest): Promise<FinalStatus> {
  const marksLeft = (await staleMarks(tx, held)).size;
  const final = finalStatus(calls, candidate.report, marksLeft, false, unfinishedAbove(view, step.id));
  await saveCheckpoint(tx, held, {
    schemaVersion: step.schemaVersion,
    configHashes: configHashes(step, view.config),
    body: candidate.body,
    status: final.status,
    runId: held.runId,
    writtenBy: step.id,
  });
  await endRow(tx, held, {
    status: final.status,
    applicableCount: calls.applicable,
    completedCount: calls.completed,
    failedCount: calls.failed,
    errorMessage: final.message,
    resultSummary: `${calls.completed} of ${calls.applicable} items`,
    ...evidenceOf(step, view, calls),
    recoveryReason: null,
  });
  return final;
}

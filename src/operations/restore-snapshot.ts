import type { RestoreBody } from '../bodies/restore';
import type { Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { canonicalJson } from '../domain/canonical';
import type { CompletionReport } from '../domain/completion';
import { AppError } from '../domain/errors';
import { checkStep } from '../domain/ids';
import type { Json } from '../domain/json';
import { STEP_IDS, downstreamOf, type StepId } from '../domain/steps';
import { hashesByItem } from '../execution/dependents';
import { readEpisodeView, withBodies, type EpisodeView } from '../execution/episode-view';
import { forecast } from '../execution/forecast';
import { keepRestoredItems } from '../execution/keep-restored';
import { markItemsStale } from '../execution/mark-items';
import { itemsToReadAgain } from '../execution/read-again';
import { verifyStep } from '../execution/verify-step';
import { lockRowsInOrder } from '../ledger/lock-rows';
import { expectedOf } from '../ledger/matches';
import { restoreRow } from '../ledger/restore-row';
import { isSetAside } from '../pipeline/checkpoint-body';
import { summarize } from '../runs/open-run';
import { audit } from '../store/audit';
import { saveCheckpoint, type Checkpoint } from '../store/checkpoints';
import { readSnapshot } from '../store/read-snapshot';
import { staleMarks } from '../store/stale-marks';
import type { RestoreRequest } from './contract';
import type { OperationDependencies } from './dependencies';

/**
 * Makes an earlier version of a checkpoint count again (spec 20 "Snapshots"): a new version with the old body, written by
 * `restore`; kept items follow it; downstream becomes stale what reads a changed prompt. All in one transaction, audited. The
 * version that counts already: nothing is written. Throws episode.unknown, step.unknown, snapshot.unknown, step.already_running,
 * step.downstream_running, step.contract_violation, and step.resume_blocked for a version that would only block the next run.
 */
export async function restoreSnapshot(deps: OperationDependencies, request: RestoreRequest): Promise<RestoreBody> {
  const stepId = checkStep(request.stepId);
  const written = await shortTransaction(deps.db, `Restoring ${stepId}`, (tx) =>
    restoreIn(tx, deps, { ...request, stepId }),
  );
  const view = await readEpisodeView(deps.db, request.projectId, request.episodeId);
  const next = await forecast(deps, view, { chosen: STEP_IDS, force: [], items: {} });
  return { ...written, stepId, restored: request.version, decisions: next.map(summarize) };
}

type Written = Pick<RestoreBody, 'version' | 'changed' | 'status' | 'stale'>;

async function restoreIn(
  tx: Tx,
  deps: OperationDependencies,
  request: RestoreRequest & { readonly stepId: StepId },
): Promise<Written> {
  const { projectId, episodeId, stepId, by } = request;
  const key = { projectId, episodeId, stepId };
  const below = downstreamOf(stepId);
  const rows = await lockRowsInOrder(tx, request, new Map([stepId, ...below].map((step) => [step, 'update' as const])));
  const view = await readEpisodeView(tx, projectId, episodeId);
  const old = await readSnapshot(tx, key, request.version);
  const row = rows.get(stepId);
  if (!old || !row)
    throw new AppError('snapshot.unknown', `${stepId} of ${episodeId} has no version ${request.version}.`);
  if (row.status === 'running')
    throw new AppError('step.already_running', `${stepId} is running; a version is restored while it is at rest.`);
  const busy = below.find((step) => rows.get(step)?.status === 'running');
  if (busy) throw new AppError('step.downstream_running', `${stepId} feeds ${busy}, which is running.`);
  const current = view.checkpoints.get(stepId);
  if (current && row.status === 'completed' && canonicalJson(current.body) === canonicalJson(old.body))
    return { version: current.version, changed: false, status: row.status, stale: {} };
  const report = await requireReadable(deps, view, stepId, old);

  const again = await itemsToReadAgain(tx, deps, view, stepId, old.body);
  const version = await saveCheckpoint(tx, key, {
    ...old,
    body: old.body as Json,
    status: report.isComplete ? 'completed' : 'partial',
    writtenBy: 'restore',
  });
  const after = withBodies(view.inputs, new Map([[stepId, old.body]]));
  const requestHashes = hashesByItem(deps.steps[stepId], after) ?? new Map<string, string>();
  const results = deps.steps[stepId].results(old.body);
  await keepRestoredItems(tx, key, {
    results,
    requestHashes,
    schemaVersion: old.schemaVersion,
    runId: row.run_id ?? row.id,
  });
  const status = (await staleMarks(tx, key)).size > 0 ? 'stale' : report.isComplete ? 'completed' : 'partial';
  const completedCount = [...requestHashes.keys()].filter((item) => results.has(item)).length;
  const summary = `restored version ${request.version}`;
  if (
    !(await restoreRow(tx, key, expectedOf(row), {
      status,
      applicableCount: requestHashes.size,
      completedCount,
      summary,
    }))
  )
    throw new AppError('step.state_changed', `The row of ${stepId} changed while it was restored.`);
  for (const [step, items] of again) await markItemsStale(tx, { ...key, stepId: step }, 'restore', null, items);
  const stale = Object.fromEntries(
    [...again].flatMap(([step, items]) => (items.length > 0 ? [[step, [...items]]] : [])),
  );
  await audit(tx, {
    by,
    act: 'restore',
    projectId,
    episodeId,
    stepId,
    details: { from: current?.version ?? null, restored: request.version, version, stale },
  });
  return { version, changed: true, status, stale };
}

/** A restored version must not surprise the next resume: what this release cannot read, or would only block, is not restored. */
async function requireReadable(
  deps: OperationDependencies,
  view: EpisodeView,
  stepId: StepId,
  old: Checkpoint,
): Promise<CompletionReport> {
  const step = deps.steps[stepId];
  const what = `Version ${old.version} of ${stepId}`;
  if (isSetAside(old.body))
    throw new AppError(
      'step.contract_violation',
      `${what} only notes that the step did not apply; there is nothing to restore.`,
    );
  if (old.schemaVersion !== step.schemaVersion)
    throw new AppError(
      'step.contract_violation',
      `${what} has schema version ${old.schemaVersion}, this release reads ${step.schemaVersion}.`,
    );
  step.results(old.body);
  if (!step.applies(view.inputs))
    throw new AppError(
      'step.resume_blocked',
      `${what}: the step has nothing to do for this episode now, and would be set aside again.`,
    );
  const report = await verifyStep(deps, step, view.inputs, old.body);
  if (report.origin === 'clean' || report.origin === 'artifact_missing') return report;
  const code = report.origin === 'verify_crashed' ? 'step.verify_crashed' : 'step.resume_blocked';
  throw new AppError(
    code,
    `${what} would not verify: ${report.missing.slice(0, 3).join('; ')} (origin=${report.origin}).`,
  );
}

import { shortTransaction } from '../db/transaction';
import { withDatabaseErrors } from '../db/errors';
import type { StepRun } from '../db/tables';
import { AppError } from '../domain/errors';
import type { Verdict } from '../domain/verdict';
import { judgeRow } from '../execution/decide-step';
import { failDeadRow } from '../ledger/fail-dead-row';
import { readRows, type RowFilter } from '../ledger/read-rows';
import { audit } from '../store/audit';
import { withoutNul } from '../store/decisions';
import type { ReleaseAnswer, ReleaseRequest } from './contract';
import type { OperationDependencies } from './dependencies';

/** While it watches a heartbeat, it looks this often. */
const LOOK_MS = 1_000;

/**
 * Frees the row of a dead owner: running → failed (spec 10 "Release"). With `force` and a reason the operator declares "I have
 * ended that process", for what cannot be proved; refused for an owner proved alive. Audited; then Temporal is told. Throws
 * step.not_running, step.owner_alive, step.state_changed, step.resume_blocked (unknown, without force), input.invalid.
 */
export async function release(deps: OperationDependencies, request: ReleaseRequest): Promise<ReleaseAnswer> {
  let { row, verdict } = await readAndJudge(deps, request);
  const forced = requirePermission(row, verdict, request);
  if (!forced && (verdict.branch === 4 || verdict.branch === 5)) {
    request.say?.(
      `The owner of ${row.step_id} is dead by its heartbeat only; watching it for ${deps.times.heartbeatSeconds} s …`,
    );
    ({ row, verdict } = await watch(deps, request, row));
  }
  const reason = withoutNul(request.reason ?? `released: ${verdict.reason}`);
  const landed = await shortTransaction(deps.db, `Releasing ${row.step_id}`, async (tx) => {
    if (!(await failDeadRow(tx, row, reason))) return false;
    await audit(tx, {
      by: request.by,
      act: 'release',
      projectId: row.project_id,
      episodeId: row.episode_id,
      stepId: row.step_id,
      runId: row.run_id,
      verdict: verdict.verdict,
      forced,
      reason,
      details: { rowId: row.id, branch: verdict.branch, proof: verdict.proof },
    });
    return true;
  });
  if (!landed)
    throw new AppError(
      'step.state_changed',
      `The row of ${row.step_id} was taken or ended meanwhile; nothing was released.`,
    );
  deps.log.warn({ row: row.id, verdict, forced, by: request.by, reason }, 'a step was released');
  const warning = await tell(deps, row, reason);
  const answer: ReleaseAnswer = { released: true, verdict: verdict.verdict, branch: verdict.branch, reason };
  return warning === null ? answer : { ...answer, warning };
}

/** What to know where Temporal was not told; a row that names no attempt leaves nobody waiting. */
async function tell(deps: OperationDependencies, row: StepRun, reason: string): Promise<string | null> {
  const awaited = row.workflow_id !== null && row.activity_task_token !== null;
  const heard = deps.temporal ? await deps.temporal.tell(row, reason) : !awaited;
  return heard
    ? null
    : 'Temporal was not told: the next attempt of the run that held it waits for the heartbeat timeout (the lease).';
}

/** Whether this is a forced release; throws where it is not allowed. */
function requirePermission(row: StepRun, verdict: Verdict, request: ReleaseRequest): boolean {
  const owner = `process ${row.owner_pid ?? '(unknown)'} on ${row.owner_host ?? 'an unknown host'}`;
  const provedAlive = verdict.verdict === 'alive' && (verdict.branch === 2 || verdict.branch === 4);
  if (provedAlive)
    throw new AppError('step.owner_alive', `${row.step_id} is held by ${owner}: ${verdict.reason}. End it first.`);
  if (!request.force) {
    if (verdict.verdict === 'dead') return false;
    if (verdict.verdict === 'alive')
      throw new AppError(
        'step.owner_alive',
        `${row.step_id} is held by ${owner}: ${verdict.reason}. If you have ended it, release with --force and a reason.`,
      );
    throw new AppError(
      'step.resume_blocked',
      `${row.step_id}: ${verdict.reason}. If you have ended its owner, release with --force and a reason.`,
    );
  }
  if (request.reason === undefined || request.reason.trim() === '')
    throw new AppError('input.invalid', 'A forced release needs a reason.');
  const seen = row.run_id ?? row.id;
  if (request.runId === undefined)
    throw new AppError('input.invalid', `A forced release names the run that you saw in the locks; now it is ${seen}.`);
  if (request.runId !== seen)
    throw new AppError('step.state_changed', `${row.step_id} is held by run ${seen} now, not by ${request.runId}.`);
  return true;
}

/** After an outage every heartbeat looks old: a live owner beats within an interval (spec 10 "Acting on a death by heartbeat"). */
async function watch(
  deps: OperationDependencies,
  request: ReleaseRequest,
  before: StepRun,
): Promise<{ row: StepRun; verdict: Verdict }> {
  for (let waitedMs = 0; waitedMs < deps.times.heartbeatSeconds * 1_000; waitedMs += LOOK_MS) {
    await deps.sleep(LOOK_MS);
    const { row } = await readAndJudge(deps, request);
    if (row.run_id !== before.run_id || row.heartbeat_at !== before.heartbeat_at)
      throw new AppError(
        'step.owner_alive',
        `${before.step_id}: its owner (process ${row.owner_pid ?? '?'} on ${row.owner_host ?? '?'}) has beaten meanwhile; it lives.`,
      );
  }
  const seen = await readAndJudge(deps, request);
  if (seen.verdict.verdict !== 'dead')
    throw new AppError('step.owner_alive', `${before.step_id}: ${seen.verdict.reason}.`);
  return seen;
}

async function readAndJudge(
  deps: OperationDependencies,
  request: ReleaseRequest,
): Promise<{ row: StepRun; verdict: Verdict }> {
  const { rows, now } = await withDatabaseErrors('Reading the row', () => readRows(deps.db, filterOf(request)));
  const row = rows[0];
  const what = request.stepId ?? `row ${request.rowId ?? '?'}`;
  if (!row) throw new AppError('step.not_running', `There is no row of ${what}.`);
  if (row.status !== 'running')
    throw new AppError('step.not_running', `${row.step_id} is ${row.status}: there is nothing to release.`);
  return { row, verdict: judgeRow(deps, row, now) };
}

/** One row and no other. Throws input.invalid where the request names none. */
function filterOf({ rowId, projectId, episodeId, stepId }: ReleaseRequest): RowFilter {
  if (rowId !== undefined) return { id: rowId };
  if (projectId === undefined || episodeId === undefined || stepId === undefined)
    throw new AppError('input.invalid', 'A release names a step of an episode of a project, or the id of a row.');
  return { projectId, episodeId, stepId };
}

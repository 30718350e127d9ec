import type { Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { AppError } from '../domain/errors';
import { STEP_IDS, downstreamOf, isStepId } from '../domain/steps';
import { markRunningRows, writeCancel } from '../runs/record-cancel';
import { openRunsOf, type Run } from '../runs/open-runs';
import { unfinishedSteps } from '../runs/unfinished-steps';
import { audit } from '../store/audit';
import { tellQueuedRuns } from './cancel-queued';
import type { CancelAnswer, EpisodeRef } from './contract';
import type { OperationDependencies } from './dependencies';

export type CancelInput = EpisodeRef & { readonly step?: string; readonly by: string };

interface Written {
  readonly runs: readonly Run[];
  readonly steps: readonly string[];
}

/**
 * Asks to cancel a step and what needs it, or everything (spec 15 "Cancel"). The cancel stands once this transaction has
 * answered: no purchase of the step becomes `sent` after it. The workflows are told then, and those, too, that no worker has
 * taken yet. Throws step.not_running where there is nothing to stop, and temporal.unavailable where the cancel stands and the
 * rest of the run was not told, or where nothing is in the ledger and Temporal cannot be asked.
 */
export async function cancel(deps: OperationDependencies, input: CancelInput): Promise<CancelAnswer> {
  const written = await shortTransaction(deps.db, 'Writing the cancel', (tx) => writeCancels(tx, input));
  if (written === null) return cancelQueued(deps, input);
  const answer: CancelAnswer = {
    state: 'requested',
    steps: written.steps,
    runs: written.runs.map((run) => run.workflow_run_id),
  };
  const { temporal } = deps;
  if (!temporal)
    return written.runs.length === 0
      ? answer
      : { ...answer, warning: 'Temporal is not running here: the run reads the cancel in the ledger when it goes on.' };
  try {
    const tell = async (runs: readonly Run[]): Promise<void> => {
      for (const run of runs)
        await temporal.client.signalCancel(run.workflow_id, run.workflow_run_id, input.step, input.by);
    };
    await tell(written.runs);
    const queued = await tellQueuedRuns(deps, input);
    const late = await coverLateRuns(deps, input, written.runs);
    await tell(late);
    return { ...answer, runs: [...new Set([...answer.runs, ...queued, ...late.map((run) => run.workflow_run_id)])] };
  } catch (error) {
    throw after('The cancel stands, but the rest of the run was not told.', error);
  }
}

/** A run that was opened after the cancel was written, and before its queue was looked at, has a row and was told by nobody. */
async function coverLateRuns(
  deps: OperationDependencies,
  input: CancelInput,
  covered: readonly Run[],
): Promise<readonly Run[]> {
  const known = new Set(covered.map((run) => run.workflow_run_id));
  const late = await shortTransaction(deps.db, 'Writing the cancel', (tx) => writeCancels(tx, input, known));
  return late?.runs ?? [];
}

/** The same error, with what the person must know first. */
function after(said: string, error: unknown): unknown {
  return error instanceof AppError
    ? new AppError(error.code, `${said} ${error.message}`, undefined, { cause: error })
    : error;
}

/** The ledger has nothing to stop: a run may wait for its first worker. Throws step.not_running, temporal.unavailable. */
async function cancelQueued(deps: OperationDependencies, input: CancelInput): Promise<CancelAnswer> {
  const queued = await tellQueuedRuns(deps, input).catch((error: unknown) => {
    throw after(
      `Nothing of ${input.episodeId} is in the ledger, and Temporal cannot be asked whether a run waits there.`,
      error,
    );
  });
  // A worker may have taken it between the two looks: then the cancel is written where its purchases read it.
  const written = await shortTransaction(deps.db, 'Writing the cancel', async (tx) => {
    const found = await writeCancels(tx, input);
    if (found === null && queued.length > 0) await auditCancel(tx, input, { steps: [], runs: queued });
    return found;
  });
  if (written === null && queued.length === 0) throw nothingToStop(input);
  const runs = [...queued, ...(written?.runs ?? []).map((run) => run.workflow_run_id)];
  return { state: 'requested', steps: written?.steps ?? [], runs: [...new Set(runs)] };
}

function nothingToStop({ step, episodeId }: CancelInput): AppError {
  return new AppError(
    'step.not_running',
    step === undefined
      ? `Nothing of ${episodeId} is running or waiting.`
      : `${step} is neither running nor ahead in an open run.`,
  );
}

/**
 * Null: nothing is running or ahead, and nothing is written. `known`: runs that have been told, with the rows that run; then only
 * another run counts.
 */
async function writeCancels(tx: Tx, input: CancelInput, known?: ReadonlySet<string>): Promise<Written | null> {
  const { step, by } = input;
  const covered = step === undefined ? null : isStepId(step) ? [step, ...downstreamOf(step)] : [step];
  const open = (await openRunsOf(tx, input.projectId, input.episodeId)).filter(
    (run) => !known?.has(run.workflow_run_id),
  );
  const runs: Run[] = [];
  const ahead = new Set<string>();
  for (const run of open) {
    const unfinished = await unfinishedSteps(tx, run);
    const isAhead = step === undefined ? unfinished.size > 0 : isStepId(step) && unfinished.has(step);
    if (!isAhead) continue;
    if (!(await writeCancel(tx, { workflowRunId: run.workflow_run_id, steps: covered ?? ['*'], by }))) continue; // it ended meanwhile
    for (const one of covered ?? STEP_IDS) if (isStepId(one) && unfinished.has(one)) ahead.add(one);
    runs.push(run);
  }
  if (known && runs.length === 0) return null;
  const marked = await markRunningRows(tx, input, step === undefined ? null : [step]);
  if (runs.length === 0 && marked.length === 0) return null;
  const steps = [...new Set([...marked, ...ahead])];
  await auditCancel(tx, input, { steps, runs: runs.map((run) => run.workflow_run_id) });
  return { runs, steps };
}

async function auditCancel(
  tx: Tx,
  { projectId, episodeId, step, by }: CancelInput,
  details: { readonly steps: readonly string[]; readonly runs: readonly string[] },
): Promise<void> {
  await audit(tx, {
    by,
    act: step === undefined ? 'cancel_all' : 'cancel',
    projectId,
    episodeId,
    stepId: step ?? null,
    details,
  });
}

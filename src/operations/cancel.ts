import type { Tx } from '../db/pool';
import { shortTransaction } from '../db/transaction';
import { AppError } from '../domain/errors';
import { STEP_IDS, downstreamOf, isStepId } from '../domain/steps';
import { markRunningRows, writeCancel } from '../runs/record-cancel';
import { openRunsOf, type Run } from '../runs/open-runs';
import { unfinishedSteps } from '../runs/unfinished-steps';
import { audit } from '../store/audit';
import type { CancelAnswer, EpisodeRef } from './contract';
import type { OperationDependencies } from './dependencies';

export type CancelInput = EpisodeRef & { readonly step?: string; readonly by: string };

interface Written {
  readonly runs: readonly Run[];
  readonly steps: readonly string[];
}

/**
 * Asks to cancel a step and what needs it, or everything (spec 15 "Cancel"). The cancel stands once this transaction has
 * answered: no purchase of the step becomes `sent` after it. The workflows are told then. Throws step.not_running where there
 * is nothing to stop, and temporal.unavailable where the cancel stands and the rest of the run was not told.
 */
export async function cancel(deps: OperationDependencies, input: CancelInput): Promise<CancelAnswer> {
  const written = await shortTransaction(deps.db, 'Writing the cancel', (tx) => writeCancels(tx, input));
  const answer: CancelAnswer = {
    state: 'requested',
    steps: written.steps,
    runs: written.runs.map((run) => run.workflow_run_id),
  };
  if (written.runs.length === 0) return answer;
  const { temporal } = deps;
  if (!temporal)
    return {
      ...answer,
      warning: 'Temporal is not running here: the run reads the cancel in the ledger when it goes on.',
    };
  for (const run of written.runs) {
    try {
      await temporal.client.signalCancel(run.workflow_id, run.workflow_run_id, input.step, input.by);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(
        error.code,
        `The cancel stands, but the rest of the run was not told. ${error.message}`,
        undefined,
        { cause: error },
      );
    }
  }
  return answer;
}

async function writeCancels(tx: Tx, input: CancelInput): Promise<Written> {
  const { step, by } = input;
  const covered = step === undefined ? null : isStepId(step) ? [step, ...downstreamOf(step)] : [step];
  const open = await openRunsOf(tx, input.projectId, input.episodeId);
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
  const marked = await markRunningRows(tx, input, step === undefined ? null : [step]);
  if (runs.length === 0 && marked.length === 0)
    throw new AppError(
      'step.not_running',
      step === undefined
        ? `Nothing of ${input.episodeId} is running or waiting.`
        : `${step} is neither running nor ahead in an open run.`,
    );
  const steps = [...new Set([...marked, ...ahead])];
  await audit(tx, {
    by,
    act: step === undefined ? 'cancel_all' : 'cancel',
    projectId: input.projectId,
    episodeId: input.episodeId,
    stepId: step ?? null,
    details: { steps, runs: runs.map((run) => run.workflow_run_id) },
  });
  return { runs, steps };
}

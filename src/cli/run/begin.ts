import type { OpenRun, StartAnswer } from '../../operations/contract';
import { decisionsOfRun } from '../../operations/queries/announced';
import { workflowUrl } from '../../operations/queries/workflow-url';
import { operatorName } from '../context';
import type { Session } from '../session';
import { keepScreenplay } from './keep-screenplay';
import type { RunRequest } from './request';

/** How a run began for this command: its own, or one that was open already. */
export interface Begun {
  readonly attached: boolean;
  readonly answer: StartAnswer;
}

/**
 * Stores the screenplay and starts the run, or attaches to the open one where the command changes nothing (spec 15
 * "Starting"). Throws run.already_running, episode.unknown, input.invalid, plan.outdated, screenplay.* and what the operations throw.
 */
export async function beginRun(session: Session, request: RunRequest): Promise<Begun> {
  const { episode, options, changes, requestId } = request;
  const { operations } = session;
  // Refuses a changed screenplay under an open run; an unchanged one is no change at all.
  await keepScreenplay(session, request);
  const found = await operations.openRunOf(episode.projectId, episode.episodeId);
  // Our own start, whose answer was lost with the stack: asking again with the same request id brings the same answer.
  const open = found?.requestId === requestId ? null : found;
  if (open && changes) return { attached: false, answer: refusedBy(session, open) };
  if (open) {
    await operations.attach(episode.projectId, episode.episodeId);
    return { attached: true, answer: await attachedTo(session, open) };
  }
  const { steps, from, force, items, planToken, budget } = options;
  const answer = await operations.startRun({
    ...episode,
    steps,
    from,
    force,
    items,
    planToken,
    budgetUsd: budget,
    requestId,
    by: operatorName(),
  });
  return { attached: false, answer };
}

function refusedBy({ operations }: Session, open: OpenRun): StartAnswer {
  const { workflowId, workflowRunId, state } = open;
  const url = workflowUrl(operations.temporalUi, open);
  return {
    outcome: 'blocked',
    workflowId,
    runId: workflowRunId,
    url,
    decisions: [],
    code: 'run.already_running',
    reason: `The episode has an open run (${workflowId}, ${state}), and this command asks for something else.`,
    inTheWay: { workflowId, workflowRunId, url },
  };
}

async function attachedTo(session: Session, open: OpenRun): Promise<StartAnswer> {
  return {
    outcome: 'started',
    workflowId: open.workflowId,
    runId: open.workflowRunId,
    url: workflowUrl(session.operations.temporalUi, open),
    decisions: await decisionsOfRun(session.operations.db, open.workflowRunId),
  };
}

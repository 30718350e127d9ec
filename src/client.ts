import {
  WithStartWorkflowOperation,
  WorkflowFailedError,
  WorkflowNotFoundError,
  isGrpcDeadlineError,
  isGrpcServiceError,
  type Client,
} from '@temporalio/client';
import { AppError } from './domain/errors';
import { CANCEL_SIGNAL, RUN_EPISODE, START_UPDATE, TASK_QUEUE } from './domain/names';
import type { OpenedRun, RunInput, RunResult } from './workflows/contract';

/** No worker has taken a start within this long: it is queued (spec 15 "Starting"). */
const ANSWER_WITHIN_MS = 10_000;

/** Who asked for a run, told before any worker has taken it. */
const REQUEST_MEMO = 'requestId';

const PING_WITHIN_MS = 2_000;

/** A person waits for these: Temporal's client would try again for longer. */
const TOLD_WITHIN_MS = 5_000;

export type Started =
  | { readonly outcome: 'answered'; readonly opened: OpenedRun; readonly runId: string }
  /** No worker has taken what stands under this id yet; `requestId`: who asked for it. */
  | { readonly outcome: 'queued'; readonly runId: string | null; readonly requestId: string | null };

interface Standing {
  readonly runId: string;
  readonly requestId: string | null;
}

/** The shape of the workflow that is started. */
type EpisodeWorkflow = (input: RunInput) => Promise<RunResult>;

/** The typed facade over Temporal for programs in this repository (spec 15). Throws temporal.unavailable. */
export class EpisodeClient {
  /** `taskQueue`: another one than the workers' own for tests that share a server. */
  constructor(
    private readonly temporal: Client,
    private readonly taskQueue: string = TASK_QUEUE,
  ) {}

  /**
   * Update-with-start: starts the run and waits for its decisions; a run that is open under this id answers instead, with its
   * own request id.
   */
  async start(workflowId: string, input: RunInput): Promise<Started> {
    const operation = new WithStartWorkflowOperation(RUN_EPISODE, {
      workflowId,
      taskQueue: this.taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowTaskTimeout: '3s',
      memo: { [REQUEST_MEMO]: input.requestId },
      searchAttributes: {
        CallsheetProject: [input.projectId],
        CallsheetEpisode: [input.episodeId],
        CallsheetState: ['starting'],
      },
    });
    try {
      const opened = await this.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        this.temporal.workflow.executeUpdateWithStart<EpisodeWorkflow, OpenedRun, []>(START_UPDATE, {
          startWorkflowOperation: operation,
          updateId: input.requestId,
        }),
      );
      return { outcome: 'answered', opened, runId: opened.ledgerRunId };
    } catch (error) {
      if (!isDeadline(error)) throw unavailable('Starting the run', error);
      const standing = await this.standing(workflowId);
      return { outcome: 'queued', runId: standing?.runId ?? null, requestId: standing?.requestId ?? null };
    }
  }

  /** The run id of the workflow that is open under this id; null: none is. */
  async openRunId(workflowId: string): Promise<string | null> {
    return (await this.standing(workflowId))?.runId ?? null;
  }

  private async standing(workflowId: string): Promise<Standing | null> {
    try {
      const { status, runId, memo } = await this.soon(() => this.temporal.workflow.getHandle(workflowId).describe());
      if (status.name !== 'RUNNING') return null;
      const requestId = memo?.[REQUEST_MEMO];
      return { runId, requestId: typeof requestId === 'string' ? requestId : null };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw unavailable('Looking for the run', error);
    }
  }

  /** Tells a run to cancel a step and what needs it, or everything. A run that has ended meanwhile needs no telling. */
  async signalCancel(workflowId: string, runId: string, step: string | undefined, by: string): Promise<void> {
    try {
      const handle = this.temporal.workflow.getHandle(workflowId, runId);
      await this.soon(() => handle.signal(CANCEL_SIGNAL, { step, by }));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
      throw unavailable('Telling the run to cancel', error);
    }
  }

  private soon<T>(work: () => Promise<T>): Promise<T> {
    return this.temporal.withDeadline(Date.now() + TOLD_WITHIN_MS, work);
  }

  /** Resolves where Temporal answers, and knows our namespace, within two seconds. Throws temporal.unavailable. */
  async ping(): Promise<void> {
    const { workflowService, options } = this.temporal;
    try {
      await this.temporal.withDeadline(Date.now() + PING_WITHIN_MS, () =>
        workflowService.describeNamespace({ namespace: options.namespace }),
      );
    } catch (error) {
      throw unavailable('Asking for the namespace', error);
    }
  }

  /** Resolves when the run has closed, however it closed. */
  async waitUntilClosed(workflowId: string, runId: string): Promise<'completed' | 'failed'> {
    try {
      await this.temporal.workflow.getHandle(workflowId, runId).result();
      return 'completed';
    } catch (error) {
      if (error instanceof WorkflowFailedError) return 'failed';
      throw unavailable('Waiting for the run', error);
    }
  }
}

function isDeadline(error: unknown): boolean {
  if (isGrpcDeadlineError(error)) return true;
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    isGrpcDeadlineError(cause) || (error instanceof Error && error.name === 'WorkflowUpdateRPCTimeoutOrCancelledError')
  );
}

function unavailable(doing: string, error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  const service = isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : null;
  if (!service) return error;
  return new AppError(
    'temporal.unavailable',
    `${doing}: Temporal does not answer (${service.details || service.message}).`,
    undefined,
    { cause: error },
  );
}

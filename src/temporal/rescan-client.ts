import {
  QueryRejectedError,
  WorkflowClient,
  WorkflowNotFoundError,
  isGrpcServiceError,
  type Client,
} from '@temporalio/client';
import { AppError } from '../domain/errors';
import { rescanTaskQueue, rescanWorkflowId } from '../domain/ids';
import { PAUSE_SIGNAL, RESCAN, RESUME_SIGNAL, RUN_NOW_SIGNAL, SETTINGS_SIGNAL, STATUS_QUERY } from '../domain/names';
import type { LoopSettings, RescanInput, RescanStatus } from '../workflows/rescan-contract';

/** A query needs a worker; without one this long is waited. */
const ANSWER_WITHIN_MS = 5_000;

export type RescanAct = 'pause' | 'resume' | 'run';

const SIGNALS = { pause: PAUSE_SIGNAL, resume: RESUME_SIGNAL, run: RUN_NOW_SIGNAL } as const satisfies Record<
  RescanAct,
  string
>;

/** The typed facade over the rescan's loop (spec 30). Throws temporal.unavailable. */
export class RescanClient {
  readonly workflowId: string;

  constructor(
    private readonly temporal: Client,
    private readonly deployment: string,
  ) {
    this.workflowId = rescanWorkflowId(deployment);
  }

  /**
   * Starts the loop where it does not run; one that runs goes on with these settings. For workers only: what a door is configured
   * with is not what rounds run with.
   */
  async start(input: RescanInput): Promise<void> {
    const { intervalMs, limitMs } = input;
    await this.signal('Starting the rescan', input, SETTINGS_SIGNAL, [{ intervalMs, limitMs }]);
  }

  /** Starts the loop where it does not run, and says nothing to one that does. */
  async ensure(input: RescanInput): Promise<void> {
    try {
      await this.temporal.workflow.start(RESCAN, { ...this.options(input), workflowIdConflictPolicy: 'USE_EXISTING' });
    } catch (error) {
      throw unavailable('Starting the rescan', error);
    }
  }

  /** Signals the loop; started where it does not run, so that what was asked is never lost (cases C40). */
  async ask(act: RescanAct, input: RescanInput): Promise<void> {
    await this.signal('Telling the rescan', input, SIGNALS[act], []);
  }

  /** null: the loop does not run, or no worker answers for it. One that has ended answers nothing: it would look like one that waits. */
  async status(): Promise<RescanStatus | null> {
    const { connection, options } = this.temporal;
    const open = new WorkflowClient({ ...options, connection, interceptors: [], queryRejectCondition: 'NOT_OPEN' });
    try {
      const handle = open.getHandle(this.workflowId);
      return await this.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        handle.query<RescanStatus>(STATUS_QUERY),
      );
    } catch (error) {
      if (hasNoLoop(error) || hasNoAnswer(error)) return null;
      throw unavailable('Asking the rescan', error);
    }
  }

  private options(input: RescanInput) {
    return {
      workflowId: this.workflowId,
      taskQueue: rescanTaskQueue(this.deployment),
      args: [input] as [RescanInput],
      workflowTaskTimeout: '3s',
    } as const;
  }

  private async signal(
    doing: string,
    input: RescanInput,
    signal: string,
    signalArgs: readonly LoopSettings[],
  ): Promise<void> {
    try {
      await this.temporal.workflow.signalWithStart(RESCAN, {
        ...this.options(input),
        signal,
        signalArgs: [...signalArgs],
      });
    } catch (error) {
      throw unavailable(doing, error);
    }
  }
}

const DEADLINE_EXCEEDED = 4;
const FAILED_PRECONDITION = 9;

function serviceErrorOf(error: unknown) {
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : null;
}

/** It was never started, or was ended by Temporal's terminate or cancel. */
function hasNoLoop(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || error instanceof QueryRejectedError;
}

/** No worker has polled lately, or none answered in time. */
function hasNoAnswer(error: unknown): boolean {
  const code = serviceErrorOf(error)?.code as number | undefined;
  return code === DEADLINE_EXCEEDED || code === FAILED_PRECONDITION;
}

function unavailable(doing: string, error: unknown): unknown {
  const service = serviceErrorOf(error);
  if (!service) return error;
  return new AppError(
    'temporal.unavailable',
    `${doing}: Temporal does not answer (${service.details || service.message}).`,
    undefined,
    { cause: error },
  );
}

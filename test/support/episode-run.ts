import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { WorkflowHandle, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { EpisodeClient } from '../../src/client';
import { STEP_IDS } from '../../src/domain/steps';
import type {
  Announcement,
  CancelRequest,
  CloseAnswer,
  CloseRequest,
  EpisodeActivities,
  OpenedRun,
  RunInput,
  RunProgress,
  RunResult,
  StepAttempt,
  StepResult,
  StepTurn,
} from '../../src/workflows/contract';
import { eventually } from './eventually';
import { rescanBundle as workflowBundle } from './rescan-loop';
import type { TestTemporal } from './temporal';

/** Activities that do what a test says, and keep what they were asked; by themselves, all goes well at once. */
export class StubActivities implements EpisodeActivities {
  /** In the order in which they began: `runStep world_guide`. */
  readonly begun: string[] = [];
  readonly attempts: StepAttempt[] = [];
  readonly cancels: CancelRequest[] = [];
  readonly closes: CloseRequest[] = [];
  /** In place of an activity's own answer. */
  opening: (run: RunInput) => Promise<Partial<OpenedRun>> = async () => ({});
  announcing: (turn: StepTurn) => Promise<Partial<Announcement>> = async () => ({});
  running: (attempt: StepAttempt) => Promise<Partial<StepResult>> = async () => ({});
  refreshing: (attempt: StepAttempt) => Promise<Partial<StepResult>> = async () => ({});
  closing: (request: CloseRequest) => Promise<CloseAnswer> = async () => ({ waiting: false, state: 'done' });
  private readonly gates = new Map<string, { readonly arrived: () => void; readonly opened: Promise<void> }>();

  /** The next activity of that name stands still until it is let go. */
  hold(name: string): { readonly arrived: Promise<void>; letGo(): void } {
    let arrive = (): void => undefined;
    let letGo = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    this.gates.set(name, { arrived: arrive, opened: new Promise((resolve) => (letGo = resolve)) });
    return { arrived, letGo };
  }

  private async begin(name: string): Promise<void> {
    this.begun.push(name);
    const gate = this.gates.get(name);
    this.gates.delete(name);
    gate?.arrived();
    await gate?.opened;
  }

  readonly openRun = async (run: RunInput): Promise<OpenedRun> => {
    await this.begin('openRun');
    const { runId } = Context.current().info.workflowExecution!;
    const opened = await this.opening(run);
    return {
      outcome: 'opened',
      ledgerRunId: runId,
      requestId: run.requestId,
      decisions: [],
      code: null,
      reason: null,
      ...opened,
    };
  };

  readonly announceStep = async (turn: StepTurn): Promise<Announcement> => {
    await this.begin(`announceStep ${turn.stepId}`);
    const announced = await this.announcing(turn);
    return {
      stepId: turn.stepId,
      action: 'rerun_self',
      origin: null,
      code: null,
      reason: 'because',
      deadRunId: null,
      ...announced,
    };
  };

  readonly runStep = async (attempt: StepAttempt): Promise<StepResult> => {
    this.attempts.push(attempt);
    await this.begin(`runStep ${attempt.stepId}`);
    const end =
      attempt.stepId === 't2i_review'
        ? ({ status: 'parked', adoptToken: 'the token' } as const)
        : ({ status: 'completed', adoptToken: null } as const);
    return { ...end, code: null, reason: 'done', ...(await this.running(attempt)) };
  };

  readonly refreshStep = async (attempt: StepAttempt): Promise<StepResult> => {
    this.attempts.push(attempt);
    await this.begin(`refreshStep ${attempt.stepId}`);
    return { status: 'completed', code: null, reason: 'done', adoptToken: null, ...(await this.refreshing(attempt)) };
  };

  readonly recordCancel = async (request: CancelRequest): Promise<void> => {
    await this.begin('recordCancel');
    this.cancels.push(request);
  };

  readonly closeRun = async (request: CloseRequest): Promise<CloseAnswer> => {
    await this.begin('closeRun');
    this.closes.push(request);
    return this.closing(request);
  };
}

/** One worker for a test file: each test brings activities of its own. */
export function delegateTo(current: () => EpisodeActivities): EpisodeActivities {
  return {
    openRun: (run, firstRunId) => current().openRun(run, firstRunId),
    announceStep: (turn) => current().announceStep(turn),
    runStep: (attempt) => current().runStep(attempt),
    refreshStep: (attempt) => current().refreshStep(attempt),
    recordCancel: (request) => current().recordCancel(request),
    closeRun: (request) => current().closeRun(request),
  };
}

export interface TestRuns {
  readonly client: EpisodeClient;
  /** Starts a run of a workflow of its own, as a door does, but does not wait for its answer. */
  start(changes?: Partial<RunInput>): Promise<WorkflowHandleWithFirstExecutionRunId & { readonly input: RunInput }>;
  resultOf(handle: WorkflowHandle): Promise<RunResult>;
  progressOf(handle: WorkflowHandle): Promise<RunProgress>;
  /** Waits until the workflow says so. */
  until(handle: WorkflowHandle, what: string, holds: (progress: RunProgress) => boolean): Promise<RunProgress>;
  /** A worker for this queue; call the answer to stop it. */
  work(activities: object): Promise<() => Promise<void>>;
}

export function inputOf(changes: Partial<RunInput> = {}): RunInput {
  return {
    projectId: 'p1',
    episodeId: `e-${randomUUID()}`,
    chosen: STEP_IDS,
    force: [],
    items: {},
    requestId: randomUUID(),
    acceptedAt: '2026-03-25T04:12:11Z',
    by: 'test',
    planToken: null,
    budgetUsd: null,
    leaseSeconds: 90,
    sweepSeconds: 1,
    ...changes,
  };
}

export function openTestRuns(temporal: TestTemporal): TestRuns {
  const { client, nativeConnection } = temporal.environment;
  const progressOf = (handle: WorkflowHandle) => handle.query<RunProgress>('progress');
  return {
    client: new EpisodeClient(client, temporal.taskQueue),
    start: async (changes) => {
      const input = inputOf(changes);
      const handle = await client.workflow.start('runEpisode', {
        workflowId: `episode/${input.projectId}/${input.episodeId}`,
        taskQueue: temporal.taskQueue,
        args: [input],
        workflowTaskTimeout: '3s',
      });
      return Object.assign(handle, { input });
    },
    resultOf: async (handle) => (await handle.result()) as RunResult,
    progressOf,
    until: (handle, what, holds) =>
      eventually(what, async () => {
        const progress = await progressOf(handle);
        return holds(progress) ? progress : null;
      }),
    work: async (activities) => {
      const worker = await Worker.create({
        connection: nativeConnection,
        taskQueue: temporal.taskQueue,
        workflowBundle: await workflowBundle(),
        activities,
        stickyQueueScheduleToStartTimeout: '1s',
        maxHeartbeatThrottleInterval: '1s',
        defaultHeartbeatThrottleInterval: '1s',
        shutdownGraceTime: '20s',
      });
      const running = worker.run();
      return async () => {
        if (worker.getState() === 'RUNNING') worker.shutdown();
        await running;
      };
    },
  };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import path from 'node:path';
import { Client } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';
import { createActivities } from '../../src/activities/create-activities';
import { ActivityHeartbeats } from '../../src/activities/heartbeats';
import { EpisodeClient } from '../../src/client';
import type { ExecutionDependencies } from '../../src/execution/dependencies';
import type { EpisodeRef, StartAnswer, StartRequest } from '../../src/operations/contract';
import type { OperationDependencies } from '../../src/operations/dependencies';
import { startRun } from '../../src/operations/start-run';
import { failAttemptWith } from '../../src/temporal/fail-attempt';
import { stateInTemporalOf } from '../../src/temporal/run-state';
import { eventually } from './eventually';
import type { TestTemporal } from './temporal';

type CoreDependencies = ExecutionDependencies & OperationDependencies;

/** The real doors on a real Temporal server: workflows, activities, client and operations, on a task queue of this test's own. */
export interface Stage {
  readonly client: Client;
  readonly deps: CoreDependencies;
  /** Asks this process's attempts to hand back at their next safe point, as a stopping worker does. */
  readonly shutdown: { requested: boolean };
  start(request: Omit<StartRequest, 'by'>): Promise<StartAnswer>;
  /** Resolves when the workflow has closed, however it closed. */
  closed(answer: Pick<StartAnswer, 'workflowId' | 'runId'>): Promise<void>;
  /** Every run of the episode has ended in the ledger, and Temporal has closed it. */
  atRest(episode: EpisodeRef): Promise<void>;
  close(): Promise<void>;
}

let bundle: Promise<WorkflowBundle> | undefined;

/** The workflows of this source tree, bundled once for a test file. */
export function workflowBundle(): Promise<WorkflowBundle> {
  bundle ??= bundleWorkflowCode({
    workflowsPath: path.resolve(__dirname, '../../src/workflows/index.ts'),
    logger: new DefaultLogger('WARN'),
  });
  return bundle;
}

/** Before the first worker of a test file: the SDK is as quiet as the tests. */
export function quietRuntime(): void {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
}

/** The product starts everything on its one task queue; the tests share a server, so each has a queue of its own. */
function clientOf({ environment, taskQueue }: TestTemporal): Client {
  const { connection, options } = environment.client;
  return new Client({
    connection,
    namespace: options.namespace,
    interceptors: {
      workflow: [
        {
          startUpdateWithStart: (input, next) =>
            next({ ...input, workflowStartOptions: { ...input.workflowStartOptions, taskQueue } }),
        },
      ],
    },
  });
}

export async function openStage(core: CoreDependencies, temporal: TestTemporal): Promise<Stage> {
  const client = clientOf(temporal);
  const sleep = (ms: number) => delay(ms);
  const episodes = new EpisodeClient(client);
  const deps: CoreDependencies = {
    ...core,
    sleep,
    temporal: { client: episodes, tell: failAttemptWith(client, core.log) },
  };
  const shutdown = { requested: false };
  const worker = await Worker.create({
    connection: temporal.environment.nativeConnection,
    taskQueue: temporal.taskQueue,
    identity: `test-${randomUUID()}`,
    workflowBundle: await workflowBundle(),
    activities: createActivities({
      ...core,
      heartbeats: new ActivityHeartbeats(),
      shutdown,
      stateInTemporal: stateInTemporalOf(client),
    }),
    stickyQueueScheduleToStartTimeout: '1s',
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
  });
  const running = worker.run();
  const closed: Stage['closed'] = async ({ workflowId, runId }) => {
    if (runId !== null) await episodes.waitUntilClosed(workflowId, runId);
  };
  return {
    client,
    deps,
    shutdown,
    start: (request) => startRun(deps, { by: 'test', ...request }),
    closed,
    atRest: async (episode) => {
      const runs = await eventually(`every run of ${episode.projectId} has ended`, async () => {
        const all = await core.db
          .selectFrom('run')
          .select(['workflow_id', 'workflow_run_id', 'ended_at'])
          .where('project_id', '=', episode.projectId)
          .execute();
        return all.every((run) => run.ended_at !== null) ? all : null;
      });
      for (const run of runs) await closed({ workflowId: run.workflow_id, runId: run.workflow_run_id });
    },
    close: async () => {
      worker.shutdown();
      await running;
    },
  };
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Connection, WorkflowNotFoundError } from '@temporalio/client';
import { episodeWorkflowId, rescanWorkflowId } from '../../../src/domain/ids';
import { settlePurchase } from '../../../src/operations/settle';
import { createTestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import type { FakeProvider } from '../../support/fake-provider';
import { temporalAddress } from '../../support/settings';
import type { RealWorker } from '../../support/real-worker';
import { worldOn, type World } from '../../support/world';
import { TWO_SCENES } from '../../support/world-run';
import { configureProject, startVendor, vendorEnv, type TillLine, type VariantName } from './variant';

const PRELOAD = path.join(__dirname, '../points/preload.cjs');
/** A run that has not ended by then is stuck; each kill has a start of a worker more, which takes long on a busy machine. */
const RUN_LIMIT_MS = 120_000;
const KILL_LIMIT_MS = 60_000;
/** Each run may leave calls in doubt; every one of them is settled by hand at most so often. */
const MOST_RUNS = 6;

export interface AttemptOptions {
  /** The namespace of the kit; each attempt has a project of its own in it. */
  readonly namespace: string;
  readonly projectId: string;
  readonly variant: VariantName;
  /** The points at which the first worker, the second, … is killed; the one after the last lives on. */
  readonly kills: readonly string[];
  /** A file that gets the points that the last worker passes. */
  readonly record?: string;
}

export interface Attempt {
  readonly world: World;
  readonly options: AttemptOptions;
  readonly till: readonly TillLine[];
  /** How many of the kills came about. */
  readonly killed: number;
  /** How the run of the workflow ended, in the ledger; null: it did not. */
  readonly state: string | null;
  /** Why it went wrong, where it did before anything could be compared. */
  readonly trouble: string | null;
  readonly workers: readonly RealWorker[];
  close(): Promise<void>;
}

/** One run of the episode in a fresh world, with real workers, each killed where it was asked for, until the run has ended. */
export async function attemptEpisode(options: AttemptOptions): Promise<Attempt> {
  const [database, connection, vendor] = await Promise.all([
    createTestDatabase(),
    Connection.connect({ address: temporalAddress(), connectTimeout: '10s' }),
    startVendor(options.variant),
  ]);
  const changes = { ...vendorEnv(options.variant, vendor), CALLSHEET_DEPLOYMENT: options.projectId, LOG_LEVEL: 'warn' };
  const world = worldOn({ database, connection, namespace: options.namespace, changes });
  const runner = new Runner(world, options);
  const end = await runner.run();
  return {
    world,
    options,
    till: tillOf(world, vendor),
    ...end,
    workers: runner.workers,
    close: async () => {
      await world.close();
      await vendor?.close();
    },
  };
}

function tillOf(world: World, vendor: FakeProvider | null): readonly TillLine[] {
  if (vendor) return vendor.till;
  if (!existsSync(world.tillFile)) return [];
  const lines = readFileSync(world.tillFile, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as TillLine];
    } catch {
      return []; // a line that a kill has cut: nothing was charged
    }
  });
}

type End = Pick<Attempt, 'killed' | 'state' | 'trouble'>;

class Runner {
  readonly workers: RealWorker[] = [];
  private killed = 0;

  constructor(
    private readonly world: World,
    private readonly options: AttemptOptions,
  ) {}

  async run(): Promise<End> {
    const { projectId, variant } = this.options;
    await this.world.door.put(projectId, 'e1', TWO_SCENES);
    await configureProject(this.world.db, projectId, variant);
    try {
      for (let run = 1; run <= MOST_RUNS; run += 1) {
        await this.oneRun();
        const doubts = await this.inDoubt();
        if (doubts.length === 0) break;
        for (const purchaseId of doubts)
          await settlePurchase(this.world.db, { purchaseId, decision: 'buy-again', by: 'crash kit' });
      }
      return { killed: this.killed, state: await this.stateInLedger(), trouble: null };
    } catch (error) {
      const trouble = `${error instanceof Error ? error.message : String(error)}\n${this.workers.at(-1)?.tail() ?? ''}`;
      return { killed: this.killed, state: await this.stateInLedger(), trouble };
    } finally {
      await Promise.all(this.workers.map((worker) => worker.kill()));
      // Nothing of this attempt may meet the workers of the next one, which share the namespace.
      for (const workflowId of [this.workflowId, rescanWorkflowId(projectId)]) await this.terminate(workflowId);
    }
  }

  /** Starts a run, and a worker after each that dies, until Temporal says that the run has closed. */
  private async oneRun(): Promise<void> {
    const { door } = this.world;
    let worker = this.workers.at(-1) ?? this.nextWorker();
    // The door waits for a worker; which may die before it answers.
    const start = door.start({ projectId: this.options.projectId, episodeId: 'e1' });
    let runId: string | null = null;
    const started = start.then((answer) => {
      if (answer.outcome === 'blocked')
        throw new Error(`The start was refused: ${answer.code ?? ''} ${answer.reason ?? ''}`);
      runId = answer.runId;
    });
    let refused: unknown;
    started.catch((error: unknown) => (refused = error));
    await eventually(
      'the run has ended',
      async () => {
        if (refused !== undefined) return true;
        if (worker.exit) worker = this.afterExit(worker);
        return runId !== null && (await this.isClosed(runId));
      },
      { withinMs: RUN_LIMIT_MS + this.options.kills.length * KILL_LIMIT_MS, everyMs: 100 },
    );
    await started;
  }

  private nextWorker(): RealWorker {
    const { kills, record } = this.options;
    const killAt = kills[this.killed];
    const isLast = killAt === undefined;
    const points = {
      ...(killAt === undefined ? {} : { killAt }),
      ...(isLast && record !== undefined ? { record } : {}),
    };
    const worker = this.world.worker({ CALLSHEET_CRASH_POINTS: JSON.stringify(points) }, { preload: PRELOAD });
    this.workers.push(worker);
    return worker;
  }

  private afterExit(worker: RealWorker): RealWorker {
    if (worker.exit?.signal !== 'SIGKILL')
      throw new Error(`A worker ended by itself: ${JSON.stringify(worker.exit)}\n${worker.tail()}`);
    this.killed += 1;
    return this.nextWorker();
  }

  private get workflowId(): string {
    return episodeWorkflowId(this.options.projectId, 'e1');
  }

  private async isClosed(runId: string): Promise<boolean> {
    const { status } = await this.world.client.workflow.getHandle(this.workflowId, runId).describe();
    return status.name !== 'RUNNING';
  }

  private async terminate(workflowId: string): Promise<void> {
    try {
      await this.world.client.workflow.getHandle(workflowId).terminate('the attempt is over');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  private async inDoubt(): Promise<readonly string[]> {
    const { db } = this.world;
    const rows = await db
      .selectFrom('purchase')
      .select('id')
      .where('status', '=', 'in_doubt')
      .where('settled_by_operator', 'is', null)
      .execute();
    return this.options.variant === 'http-ask' ? rows.map((row) => row.id) : [];
  }

  private async stateInLedger(): Promise<string | null> {
    const newest = await this.world.db
      .selectFrom('run')
      .select('state')
      .orderBy('opened_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return newest?.state ?? null;
  }
}

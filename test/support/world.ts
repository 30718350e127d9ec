import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { childEnvironment, readConfig, type Config } from '../../src/config';
import type { Db } from '../../src/db/pool';
import { SEARCH_ATTRIBUTES } from '../../src/domain/names';
import { createTestDatabase } from './database';
import { temporalAddress } from './settings';
import { openDoor, type Door } from './door';
import { RealWorker, type RealWorkerOptions } from './real-worker';

/** Seconds pass as they are, so what takes 90 s in production takes 3 here. */
export const SHORT_TIMES = {
  STEP_LEASE_SECONDS: '3',
  STEP_HEARTBEAT_SECONDS: '1',
  STEP_SWEEP_SECONDS: '1',
  STEP_STALL_SECONDS: '60',
  SHUTDOWN_GRACE_SECONDS: '20',
} as const;

/** Everything that belongs to one test: a database, a Temporal namespace, a folder of artifacts, and the workers of these. */
export interface World {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly client: Client;
  readonly namespace: string;
  readonly folder: string;
  readonly artifactDir: string;
  readonly tillFile: string;
  readonly config: Config;
  readonly door: Door;
  /** The environment of a worker of this world, with changes. */
  env(changes?: Readonly<Record<string, string | undefined>>): Record<string, string | undefined>;
  /** Starts a worker; it is killed with the world, if not before. */
  worker(changes?: Readonly<Record<string, string | undefined>>, options?: Omit<RealWorkerOptions, 'env'>): RealWorker;
  close(): Promise<void>;
}

const KEYWORD = 2;
const DAY_SECONDS = 86_400;

/** A namespace of its own: no worker of another test takes its tasks. */
export async function makeNamespace(connection: Connection): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: DAY_SECONDS as unknown as Long },
  });
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD])),
  });
  return namespace;
}

type Long = NonNullable<
  NonNullable<
    Parameters<Connection['workflowService']['registerNamespace']>[0]['workflowExecutionRetentionPeriod']
  >['seconds']
>;

/** `changes`: settings of this world that differ from the short times above. */
export async function openWorld(changes: Readonly<Record<string, string | undefined>> = {}): Promise<World> {
  const database = await createTestDatabase();
  const connection = await Connection.connect({ address: temporalAddress(), connectTimeout: '10s' });
  const namespace = await makeNamespace(connection);
  return worldOn({ database, connection, namespace, changes });
}

export interface WorldParts {
  readonly database: { readonly db: Db; readonly url: string; drop(): Promise<void> };
  readonly connection: Connection;
  readonly namespace: string;
  readonly changes: Readonly<Record<string, string | undefined>>;
  /** Where the workers reach the database, if not where this process does. */
  readonly workerDatabaseUrl?: string;
}

export function worldOn({ database, connection, namespace, changes, workerDatabaseUrl }: WorldParts): World {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-crash-'));
  const artifactDir = path.join(folder, 'artifacts');
  const tillFile = path.join(folder, 'till.jsonl');
  const client = new Client({ connection, namespace });
  const settings = {
    ...SHORT_TIMES,
    DATABASE_URL: workerDatabaseUrl ?? database.url,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    CALLSHEET_HOME: folder,
    ARTIFACT_DIR: artifactDir,
    CALLSHEET_OFFLINE_TILL: tillFile,
    CALLSHEET_OFFLINE_DELAY_MS: undefined,
    CALLSHEET_PARENT_FD: undefined,
    LOG_LEVEL: 'info',
    ...changes,
  };
  const env = (more: Readonly<Record<string, string | undefined>> = {}) => ({ ...settings, ...more });
  const config = readConfig(childEnvironment(settings));
  const workers: RealWorker[] = [];
  return {
    db: database.db,
    databaseUrl: database.url,
    client,
    namespace,
    folder,
    artifactDir,
    tillFile,
    config,
    door: openDoor(database.db, client, config),
    env,
    worker: (more, options) => {
      const worker = new RealWorker({ ...options, env: env(more) });
      workers.push(worker);
      return worker;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.kill()));
      await connection.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { readConfig } from '../../src/config';
import type { Db } from '../../src/db/pool';
import { Tokens } from '../../src/http/access/tokens';
import { EventFeed, type FeedOptions } from '../../src/http/events/feed';
import type { EventTimes } from '../../src/http/routes/events';
import { createServer } from '../../src/http/server';
import { createHttpMetrics } from '../../src/observability/http-metrics';
import { openOperations } from '../../src/wiring';
import { createTestDatabase } from '../support/database';

export interface OpenHttpOptions {
  readonly tokens?: readonly string[];
  readonly requestsPerMinute?: number;
  readonly eventStreams?: number;
  readonly eventTimes?: EventTimes;
  readonly limits?: FeedOptions['limits'];
  /** host:port; by default nobody listens there, and nothing of the test asks. */
  readonly temporalAddress?: string;
}

export interface OpenHttp {
  readonly url: string;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly artifactDir: string;
  readonly server: FastifyInstance;
  readonly logged: string[];
  /** As a process does that is asked to end. */
  end(): void;
  close(): Promise<void>;
}

/** The real server of this source tree on a real socket, over a database of its own. */
export async function openHttp(options: OpenHttpOptions = {}): Promise<OpenHttp> {
  const database = await createTestDatabase();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callsheet-http-'));
  const config = readConfig({ CALLSHEET_HOME: folder, LOG_LEVEL: 'fatal' });
  const operations = await openOperations({
    config,
    databaseUrl: database.url,
    temporalAddress: options.temporalAddress ?? '127.0.0.1:1',
    role: 'api',
    stays: true,
  });
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const feed = new EventFeed({ db: operations.db, databaseUrl: database.url, log, limits: options.limits });
  await feed.start();
  const ending = new AbortController();
  const server = await createServer({
    door: {
      operations,
      feed,
      metrics: createHttpMetrics(),
      settings: {
        requestsPerMinute: options.requestsPerMinute ?? 1_000_000,
        eventStreams: options.eventStreams ?? 1_000,
      },
      leaseSeconds: 90,
      stepRunningTimeoutSeconds: 3_600,
      ending: ending.signal,
    },
    tokens: Tokens.parse(options.tokens ?? []),
    log,
    version: '0.0.0-test',
    eventTimes: options.eventTimes,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.addresses()[0] as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    db: database.db,
    databaseUrl: database.url,
    artifactDir: config.artifactDir,
    server,
    logged,
    end: () => ending.abort(),
    close: async () => {
      ending.abort();
      server.server.closeAllConnections();
      await server.close();
      await feed.stop();
      await operations.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

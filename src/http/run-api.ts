import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config';
import { requireSchema } from '../db/migrate';
import { AppError } from '../domain/errors';
import { onEndSignals } from '../embedded/end-signals';
import { endWithParent, tellReady } from '../embedded/parent-pipe';
import { createHttpMetrics } from '../observability/http-metrics';
import { openOperations, type OpenedOperations } from '../wiring';
import { isLoopback, requireSafeHost } from './access/loopback';
import { readTokens } from './access/read-tokens';
import type { Tokens } from './access/tokens';
import { EventFeed } from './events/feed';
import { createServer } from './server';

/** Requests under way are given so long to end when the process is asked to. The embedded stack waits for five seconds. */
const GRACE_MS = 4_000;

/**
 * The API process (spec 50 "HTTP API"): serves until SIGTERM, SIGINT or the end of its parent. Answers the exit code: 0 after a
 * stop that was asked for. Throws config.invalid, db.unavailable, db.schema_outdated, stack.port_in_use.
 */
export async function runApi(config: Config): Promise<number> {
  const { api, databaseUrl } = config;
  if (databaseUrl === undefined) throw new AppError('config.invalid', 'The API needs DATABASE_URL.');
  const tokens = readTokens(api);
  requireSafeHost(api.host, tokens.areConfigured);
  const stop = listenForStop(config.parentFd);
  const operations = await openOperations({
    config,
    databaseUrl,
    temporalAddress: temporalAddressOf(config),
    temporalUiUrl: config.temporalUiUrl,
    role: 'api',
    stays: true,
  });
  const { log } = operations;
  await requireSchema(operations.db);
  const feed = new EventFeed({ db: operations.db, databaseUrl, log });
  await feed.start();
  const server = await serverOf(config, operations, feed, tokens, stop.ending);
  const address = await listenOn(server, config, tokens);
  log.info({ address, tokens: tokens.areConfigured }, 'the API is ready');
  tellReady();
  await stop.asked;
  log.info('stopping: streams are closed, requests under way may end');
  const giveUp = setTimeout(() => {
    log.warn('the grace is over: requests under way are cut');
    process.exit(0);
  }, GRACE_MS);
  await server.close();
  await feed.stop();
  await operations.close();
  clearTimeout(giveUp);
  return 0;
}

/** Without a name it is the usual address, which may be connected to later. */
function temporalAddressOf(config: Config): string {
  return config.temporalAddress ?? '127.0.0.1:7233';
}

function serverOf(
  config: Config,
  operations: OpenedOperations,
  feed: EventFeed,
  tokens: Tokens,
  ending: AbortSignal,
): Promise<FastifyInstance> {
  const { leaseSeconds, stepRunningTimeoutSeconds } = config.times;
  return createServer({
    door: {
      operations,
      feed,
      metrics: createHttpMetrics(),
      settings: config.api,
      leaseSeconds,
      stepRunningTimeoutSeconds,
      ending,
    },
    tokens,
    log: operations.log,
    version: versionOf(),
  });
}

/** Listens; an address that turns out to be open to others is left at once where no tokens are configured. */
async function listenOn(server: FastifyInstance, { api }: Config, tokens: Tokens): Promise<string> {
  try {
    await server.listen({ host: api.host, port: api.port });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new AppError(
        'stack.port_in_use',
        `Port ${api.port} of ${api.host} is taken: set CALLSHEET_API_PORT to another one.`,
        undefined,
        { cause: error },
      );
    throw error;
  }
  const addresses = server.addresses() as AddressInfo[]; // never a path: a host and a port were given
  const open = addresses.find((one) => !tokens.areConfigured && !isLoopback(one.address));
  if (open) {
    await server.close();
    throw new AppError(
      'config.invalid',
      `${api.host} turned out to be ${open.address}, which other machines can reach, and no tokens are configured.`,
    );
  }
  const [first] = addresses;
  return `http://${first?.family === 'IPv6' ? `[${first.address}]` : (first?.address ?? api.host)}:${first?.port ?? api.port}`;
}

interface StopSignal {
  readonly asked: Promise<void>;
  /** Aborted at the same moment. */
  readonly ending: AbortSignal;
}

/** A second signal ends at once. */
function listenForStop(parentFd: number | undefined): StopSignal {
  const ending = new AbortController();
  const asked = new Promise<void>((resolve) =>
    ending.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  onEndSignals({ first: () => ending.abort(), again: () => process.exit(1) });
  endWithParent(parentFd, () => ending.abort());
  return { asked, ending: ending.signal };
}

/** The package's version; dist has the package.json of its repository two folders up. */
function versionOf(): string {
  const file = path.resolve(
    __dirname,
    ...(__dirname.split(path.sep).includes('dist') ? ['..', '..', '..'] : ['..', '..']),
    'package.json',
  );
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

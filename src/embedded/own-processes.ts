import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';
import { AppError } from '../domain/errors';
import { COMPILED_SOURCES } from './compiled-folder';
import { isPortFree, LOOPBACK } from './free-port';
import { logFileOf } from './home';
import { attemptNodeChild, startNodeChild, type NodeChildOptions } from './node-child';
import type { OwnStackOptions, StartPart } from './own-stack-options';
import type { EndStep } from './process-end';
import { rememberedPorts, type PortSource } from './remembered-ports';
import { ServerPorts } from './server-ports';

type Environment = Readonly<Record<string, string | undefined>>;

const KILL: EndStep = { signal: 'SIGKILL', waitMs: 5_000 };
/** The API gives requests under way four seconds. */
const END_API: readonly EndStep[] = [{ signal: 'SIGTERM', waitMs: 6_000 }, KILL];
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '']);

/** The worker. A paid call in flight may end: it has its whole grace, and some time to say goodbye (cases C43). */
export async function startWorker(
  { home, config, scripts }: OwnStackOptions,
  environment: Environment,
  start: StartPart,
): Promise<void> {
  const options: NodeChildOptions = {
    name: 'worker',
    script: scripts?.worker ?? path.join(COMPILED_SOURCES, 'worker.js'),
    environment,
    logFile: logFileOf(home, 'worker'),
    endSteps: [{ signal: 'SIGTERM', waitMs: (config.shutdownGraceSeconds + 10) * 1000 }, KILL],
  };
  await start('worker', (spawned) => startNodeChild(options, spawned));
}

function isPortNamed({ api }: Config): boolean {
  return api.portIsNamed && api.port !== 0;
}

/** A port that the user names is used or is an error, which is told before anything starts. Throws stack.port_in_use. */
export async function requireNamedApiPort(config: Config): Promise<void> {
  const { port } = config.api;
  if (!isPortNamed(config) || (await isPortFree(port))) return;
  throw new AppError('stack.port_in_use', `Another program has port ${port}, which CALLSHEET_API_PORT names.`);
}

function apiPorts({ home, config }: OwnStackOptions): PortSource {
  if (!isPortNamed(config)) return rememberedPorts(home.ports, ['api']);
  const named = () => Promise.resolve([config.api.port]);
  return {
    first: named,
    async others() {
      await requireNamedApiPort(config);
      return named();
    },
  };
}

/** Where this machine reaches the API: one that listens on all addresses listens on loopback, too. */
function addressOf({ api }: Config, port: number): string {
  const host = ANY_ADDRESS.has(api.host) ? LOOPBACK : api.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The API, where this release has one. It is told its port by CALLSHEET_API_PORT. Answers its address. */
export async function startApi(
  options: OwnStackOptions,
  environment: Environment,
  start: StartPart,
): Promise<string | undefined> {
  const { home, config, say, scripts } = options;
  const script = scripts?.api ?? path.join(COMPILED_SOURCES, 'http', 'main.js');
  if (!existsSync(script)) return undefined;
  const ports = await ServerPorts.choose('API', apiPorts(options), say);
  const childOn = (port: number): NodeChildOptions => ({
    name: 'api',
    script,
    environment: { ...environment, CALLSHEET_API_PORT: String(port) },
    logFile: logFileOf(home, 'api'),
    endSteps: END_API,
  });
  await start('api', (spawned) => ports.start(([port = 0]) => attemptNodeChild(childOn(port), spawned)));
  return addressOf(config, ports.all[0] ?? 0);
}

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import type { RealWorker } from './real-worker';
import type { World } from './world';

/** Every container of the tests bears this name. */
export const CONTAINER_NAME = 'box';

const NAMESPACES = ['unshare', '--uts', '--pid', '--net', '--fork', '--mount-proc', '--kill-child'];
const SET_UP = `ip link set lo up && hostname ${CONTAINER_NAME}`;
/** A subshell takes a pid. In Linux the threads of a process answer to numbers of the same kind, some dozens of a worker. */
const USE_UP_PIDS = 'i=0; while [ $i -lt 400 ]; do (:); i=$((i+1)); done';
const RELAY = path.join(__dirname, '../crash/preloads/relay.cjs');

/** Why this machine lets nobody make containers; null: it does. */
export function whyNoContainers(): string | null {
  try {
    const [program, ...args] = NAMESPACES;
    execFileSync(program!, [...args, 'sh', '-c', SET_UP], { stdio: 'pipe' });
    return null;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return `no namespaces here: ${said || String(error)}`;
  }
}

/** The way of containers to the servers of a world. */
export interface ContainerHost {
  /**
   * Starts a worker in a pid, a network and a host name namespace of its own. `first`: it is pid 1 in there; else it has a pid
   * that no other container knows.
   */
  worker(options: { readonly first: boolean; readonly env?: Readonly<Record<string, string>> }): RealWorker;
  close(): void;
}

export async function openContainerHost(world: World): Promise<ContainerHost> {
  const database = new URL(world.databaseUrl);
  const [temporalHost = '', temporalPort = ''] = world.config.temporalAddress!.split(':');
  const servers = [
    await relayTo(world, 'database', database.hostname, Number(database.port || 5432)),
    await relayTo(world, 'temporal', temporalHost, Number(temporalPort)),
  ];
  database.hostname = '127.0.0.1';
  const inside = {
    DATABASE_URL: database.toString(),
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
    CALLSHEET_TEST_RELAYS: JSON.stringify(servers.map(({ port, socket }) => ({ port, socket }))),
  };
  return {
    worker: ({ first, env }) =>
      world.worker(
        { ...inside, ...env },
        {
          preload: RELAY,
          // Without exec the shell stays pid 1.
          wrapper: [
            ...NAMESPACES,
            'sh',
            '-c',
            first ? `${SET_UP} && exec "$@"` : `${SET_UP} && { ${USE_UP_PIDS}; "$@"; exit $?; }`,
            'sh',
          ],
        },
      ),
    close: () => {
      for (const { server } of servers) server.close();
    },
  };
}

async function relayTo(
  world: World,
  name: string,
  host: string,
  port: number,
): Promise<{ port: number; socket: string; server: Server }> {
  const socket = path.join(world.folder, `${name}.sock`);
  const server = createServer((near) => {
    const far = connect(port, host);
    near.pipe(far);
    far.pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(socket);
  await once(server, 'listening');
  return { port, socket, server };
}

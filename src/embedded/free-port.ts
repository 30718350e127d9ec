import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

export const LOOPBACK = '127.0.0.1';
/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections: one of those can be taken by any
 * connection of any program while its server is not up, even by a client of ours that tries to reach that very server.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const RANDOM_TRIES = 100;

/** Listens on a port of 127.0.0.1, 0 for any; undefined where it cannot be had. */
function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Whether nothing has a port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await tryListen(port);
  if (server) await close(server);
  return server !== undefined;
}

async function listenAnywhere(): Promise<Server> {
  for (let tries = 0; tries < RANDOM_TRIES; tries += 1) {
    const server = await tryListen(randomInt(FIRST_PORT, LAST_PORT + 1));
    if (server) return server;
  }
  const server = await tryListen(0);
  if (server) return server;
  throw new Error(`No port of ${LOOPBACK} can be opened.`);
}

/** `count` different free ports of 127.0.0.1, held at the same time while they are chosen. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  try {
    while (servers.length < count) servers.push(await listenAnywhere());
    return servers.map((server) => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
      return address.port;
    });
  } finally {
    await Promise.all(servers.map(close));
  }
}

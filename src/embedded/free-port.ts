import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** Whether nothing listens on a port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** `count` different free ports of 127.0.0.1, held at the same time while they are chosen. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once('error', reject);
            server.listen({ host: LOOPBACK, port: 0 }, () => {
              const address = server.address();
              if (address === null || typeof address === 'string') reject(new Error('The system gave no port.'));
              else resolve(address.port);
            });
          }),
      ),
    );
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut and mended: the server itself, and everybody else on it, is left alone. */
export interface TcpProxy {
  readonly port: number;
  /** Cuts every connection, and refuses new ones until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** `latencyMs`: how much later each piece of the server's answers arrives. */
export async function openTcpProxy(host: string, port: number, latencyMs = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy()); // a cut connection: that is what this is for
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.destroy();
    const upstream = connect(port, host);
    keep(upstream);
    client.pipe(upstream);
    if (latencyMs === 0) upstream.pipe(client);
    else upstream.on('data', (piece) => setTimeout(() => void (client.writable && client.write(piece)), latencyMs));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      cutAll();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      server.close();
      cutAll();
      await once(server, 'close');
    },
  };
}

/** A proxy before the server of a database's address, and the address that leads through it. */
export async function proxyDatabase(databaseUrl: string, latencyMs = 0): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(databaseUrl);
  const proxy = await openTcpProxy(url.hostname, Number(url.port || 5432), latencyMs);
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.toString() };
}

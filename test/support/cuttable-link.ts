import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A way to a server that a test can cut: what a network does. */
export interface CuttableLink {
  /** The same address by way of the proxy. */
  readonly url: string;
  /** Ends all connections, and lets none in until `mend`. */
  cut(): void;
  /** Swallows every packet, without a word to either side, until `mend`. */
  swallow(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openCuttableLink(url: string): Promise<CuttableLink> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'whole' | 'cut' | 'swallowing' = 'whole';
  const server = net.createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = net.connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes) => state !== 'swallowing' && to.write(bytes));
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      from.on('error', () => from.destroy()); // a cut connection is what this is for
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.hostname = '127.0.0.1';
  near.port = String((server.address() as AddressInfo).port);
  const end = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    url: near.toString(),
    cut: () => {
      state = 'cut';
      end();
    },
    swallow: () => {
      state = 'swallowing';
    },
    mend: () => {
      state = 'whole';
    },
    close: async () => {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}

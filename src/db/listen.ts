import { Client } from 'pg';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const ANSWER_LIMIT_MS = 5_000;
/** A connection that only listens says nothing by itself: the system looks whether the other end is still there. */
const SILENT_MS = 10_000;

export interface Listening {
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly databaseUrl: string;
  /** A constant of ours. */
  readonly channel: string;
  /** Something was notified, or may have been while nobody listened. */
  onNotice(): void;
  /** The connection was lost or not had; another try follows by itself. */
  onLost(error: Error): void;
}

/**
 * Listens on a channel over a connection of its own, and connects again, with back-off, for as long as it takes. A notice is a
 * hint and never the only way: whoever needs the news polls as well.
 */
export function listen({ databaseUrl, channel, onNotice, onLost }: ListenOptions): Listening {
  let stopped = false;
  let waitMs = FIRST_WAIT_MS;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  function again(error: Error): void {
    if (stopped || timer) return;
    client = null;
    onLost(error);
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }

  async function connect(): Promise<void> {
    const mine = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_MS,
      application_name: 'callsheet listen',
    });
    client = mine;
    mine.on('error', (error) => again(error));
    mine.on('end', () => again(new Error('The connection has ended.')));
    mine.on('notification', () => onNotice());
    try {
      await mine.connect();
      await mine.query(`LISTEN ${mine.escapeIdentifier(channel)}`);
      waitMs = FIRST_WAIT_MS;
      onNotice();
    } catch (error) {
      // One that never came about need not be closed, and one that did may be broken.
      await mine.end().catch(() => undefined);
      again(error instanceof Error ? error : new Error(String(error)));
    }
  }

  void connect();
  return {
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { createAiClient } from '../../src/contexts/ai-client';
import type { AiSettings, RescanSettings } from '../../src/config';
import type { Db } from '../../src/db/pool';
import { AppError } from '../../src/domain/errors';
import { Asking } from '../../src/operations/contexts/asking';
import type { ContextOperations } from '../../src/operations/contexts/contract';
import { openContexts } from '../../src/operations/contexts/open';
import type { RescanOperations } from '../../src/operations/rescan/contract';
import { openRescan } from '../../src/operations/rescan/open';
import { keepingLog, SETTINGS, type LoggedLine } from './rescan';

export interface ContextDoors {
  readonly contexts: ContextOperations;
  readonly rescan: RescanOperations;
  readonly lines: LoggedLine[];
  /** Requests that were begun have ended. */
  settled(): Promise<void>;
}

/** The operations on contexts over a test's database, without Temporal. */
export function openContextDoors(db: Db, ai: AiSettings, changes: Partial<RescanSettings> = {}): ContextDoors {
  const { log, lines } = keepingLog();
  const asks = { db, log, client: createAiClient(ai), newId: randomUUID };
  const asking = new Asking(asks);
  const rescan = { intervalMs: 300_000, ...SETTINGS, ...changes };
  return {
    lines,
    contexts: openContexts(asks, asking),
    rescan: openRescan({
      ...asks,
      asking,
      ai,
      rescan,
      deployment: 'test',
      loop: null,
      temporalUi: undefined,
      sleep: async () => undefined,
    }),
    settled: () => asking.settled(),
  };
}

/** `POST /api/v1/contexts/{id}/stages/{stage}` over real HTTP, for an AI service to report to. */
export async function openReportDoor(
  contexts: () => ContextOperations,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = http.createServer((incoming, outgoing) => {
    const [, id = '', stage = ''] = /^\/api\/v1\/contexts\/([^/]+)\/stages\/([^/]+)$/.exec(incoming.url ?? '') ?? [];
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const report: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      contexts()
        .report({ id: decodeURIComponent(id), stage, report })
        .then((body) => outgoing.writeHead(200).end(JSON.stringify(body)))
        .catch((error: unknown) =>
          outgoing.writeHead(error instanceof AppError ? error.statusCode : 500).end(String(error)),
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

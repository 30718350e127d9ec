import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AiRequest } from '../../src/contexts/ai-request';
import type { AiSettings } from '../../src/config';

/** What becomes of a request: a status, or nothing at all. */
export type Answer =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | 'nothing'
  | 'hang up';

export interface Asked {
  readonly request: AiRequest;
  readonly authorization: string | undefined;
}

export interface FakeAiService {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Requests that have come and have no answer yet. */
  readonly open: () => number;
  /** The most that were open at once. */
  readonly mostOpen: () => number;
  answerWith(answer: (request: AiRequest) => Answer | Promise<Answer>): void;
  settings(changes?: Partial<AiSettings>): AiSettings;
  reset(): void;
  close(): Promise<void>;
}

/** A real HTTP server in place of the AI service, whose every answer the test decides. */
export async function openFakeAiService(): Promise<FakeAiService> {
  const asked: Asked[] = [];
  let open = 0;
  let mostOpen = 0;
  let answer: (request: AiRequest) => Answer | Promise<Answer> = () => ({ status: 202 });
  const server = http.createServer((incoming, outgoing) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    outgoing.on('close', () => (open -= 1));
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as AiRequest;
      asked.push({ request, authorization: incoming.headers.authorization });
      void Promise.resolve(answer(request)).then((given) => {
        if (given === 'nothing') return;
        if (given === 'hang up') return void incoming.socket.destroy();
        outgoing.writeHead(given.status, given.headers).end(given.body ?? '');
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    asked,
    open: () => open,
    mostOpen: () => mostOpen,
    answerWith: (given) => (answer = given),
    settings: (changes = {}) => ({
      url,
      secret: 'the-secret',
      timeoutMs: 10_000,
      concurrentRequests: 8,
      queueLength: 100,
      ...changes,
    }),
    reset: () => {
      asked.splice(0);
      mostOpen = open;
      answer = () => ({ status: 202 });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

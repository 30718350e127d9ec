import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { HttpPrices } from '../../src/providers/http/prices';
import { cutInBody, sendHtml, sendJson, sendStatus, type Fault } from './fake-provider-faults';

export const FAKE_PRICES: HttpPrices = { inputUsdPerMillion: 1, outputUsdPerMillion: 4, imageUsd: 0.04 };
const TOKENS = { prompt_tokens: 1_000, completion_tokens: 500 };
const TEXT_USD = (TOKENS.prompt_tokens * 1 + TOKENS.completion_tokens * 4) / 1_000_000;

export interface SeenRequest {
  readonly path: string;
  readonly key: string;
  readonly atMs: number;
  readonly body: Record<string, unknown>;
}

export interface Charge {
  readonly key: string;
  readonly usd: number;
}

export interface FakeProvider {
  readonly url: string;
  /** Every request that arrived, charged or not. */
  readonly seen: readonly SeenRequest[];
  /** Its own till: one line a charge. */
  readonly till: readonly Charge[];
  tillUsd(): number;
  /** The next requests meet these faults, one each; then all is well again. */
  fail(...faults: Fault[]): void;
  /** All requests from now on meet this fault; null: none. */
  failAll(fault: Fault | null): void;
  /** What the model writes, from the input of the request and the task that its schema names. */
  writes(answer: (input: unknown, task: string) => string): void;
  /** Lets requests that are held go on; their answers come now. */
  release(): void;
  /** Resolves when so many requests have arrived in all. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface FakeProviderOptions {
  /** Charges one Idempotency-Key once, and answers it alike. */
  readonly honoursKeys?: boolean;
  /** `Authorization: Bearer` must say this. */
  readonly apiKey?: string;
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}

async function picture(size: unknown, red: number): Promise<string> {
  const [width, height] = String(size).split('x').map(Number);
  const background = { r: red % 256, g: 90, b: 120 };
  const image = sharp({ create: { width: width || 64, height: height || 36, channels: 3, background } });
  return (await image.png().toBuffer()).toString('base64');
}

/** A real HTTP server that speaks the vendor's protocol, counts what it charges, and fails on command. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const seen: SeenRequest[] = [];
  const till: Charge[] = [];
  const faults: Fault[] = [];
  let always: Fault | null = null;
  let write: (input: unknown, task: string) => string = (input) => JSON.stringify({ echo: input });
  let held: (() => void)[] = [];
  let watchers: { count: number; resolve: () => void }[] = [];

  const charge = (key: string, usd: number): void => {
    if (options.honoursKeys && till.some((line) => line.key === key)) return;
    till.push({ key, usd });
  };

  async function goodAnswer(entry: SeenRequest, fault: Fault | null): Promise<unknown> {
    if (entry.path.endsWith('/images/generations')) {
      if (fault?.fault === 'empty_image') return { created: 1, data: [{ b64_json: '' }] };
      if (fault?.fault === 'not_an_image')
        return { created: 1, data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] };
      return {
        created: 1,
        data: [{ b64_json: await picture(entry.body.size, entry.key.length + seen.indexOf(entry)) }],
      };
    }
    const messages = entry.body.messages as { content: string }[];
    const { json_schema: schema } = entry.body.response_format as { json_schema: { name: string } };
    const text = fault?.fault === 'text' ? fault.content : write(JSON.parse(messages.at(-1)!.content), schema.name);
    const message =
      fault?.fault === 'refusal' ? { content: null, refusal: fault.words } : { content: text, refusal: null };
    const finish = fault?.fault === 'text' ? (fault.finishReason ?? 'stop') : 'stop';
    return {
      id: `cmpl-${seen.indexOf(entry)}`,
      choices: [{ index: 0, finish_reason: finish, message }],
      usage: TOKENS,
    };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = String(request.headers['idempotency-key'] ?? '');
    const entry: SeenRequest = { path: request.url ?? '', key, atMs: performance.now(), body: await readJson(request) };
    const fault = faults.shift() ?? always;
    seen.push(entry);
    watchers = watchers.filter((watcher) => (seen.length >= watcher.count ? void watcher.resolve() : true));
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`)
      return sendJson(response, 401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
    if (fault?.fault === 'status') return sendStatus(response, fault);
    charge(key, entry.path.endsWith('/images/generations') ? FAKE_PRICES.imageUsd : TEXT_USD);
    if (fault?.fault === 'cut') return void request.socket.destroy();
    if (fault?.fault === 'cut_in_body') return cutInBody(request, response);
    if (fault?.fault === 'html') return sendHtml(response);
    if (fault?.fault === 'hold') await new Promise<void>((resolve) => held.push(resolve));
    sendJson(response, 200, await goodAnswer(entry, fault), { 'x-request-id': `req-${seen.length}` });
  }

  const server = http.createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    till,
    tillUsd: () => till.reduce((sum, line) => sum + line.usd, 0),
    fail: (...more) => void faults.push(...more),
    failAll: (fault) => {
      always = fault;
    },
    writes: (answer) => {
      write = answer;
    },
    release: () => {
      for (const go of held) go();
      held = [];
    },
    arrived: (count) =>
      new Promise((resolve) => (seen.length >= count ? resolve() : void watchers.push({ count, resolve }))),
    close: async () => {
      for (const go of held) go();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import type { Provider, ProviderReply, ProviderRequest, SendOptions } from '../port';
import { failedReply } from './failed-reply';
import { imageBody, readImageReply } from './image-call';
import { postJson } from './post-json';
import { estimateUsd, type HttpPrices } from './prices';
import { readTextReply, textBody } from './text-call';

export interface HttpProviderOptions {
  /** Base address; `/v1/…` is added where it does not end with `/v1`. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly honoursIdempotencyKey: boolean;
  readonly concurrentCalls: number;
  readonly callsPerMinute: number;
  readonly prices: HttpPrices;
  /** Milliseconds since 1970, to read a Retry-After that is a date. */
  nowMs(): number;
}

function addressOf(base: string, path: string): URL {
  const trimmed = base.replace(/\/+$/, '');
  return new URL(`${trimmed}${trimmed.endsWith('/v1') ? '' : '/v1'}${path}`);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Provider `http`: the requests of a real vendor, to any server that speaks its protocol (spec 40 "Offline"). */
export function createHttpProvider(options: HttpProviderOptions): Provider {
  async function send(
    request: ProviderRequest,
    { deadline, idempotencyKey, ask }: SendOptions,
  ): Promise<ProviderReply> {
    const isText = request.kind === 'text';
    const exchange = await postJson({
      url: addressOf(options.url, isText ? '/chat/completions' : '/images/generations'),
      headers: {
        'idempotency-key': idempotencyKey,
        ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
      },
      body: isText ? textBody(request, ask ?? 0) : imageBody(request),
      signal: deadline,
    });
    if (exchange.exchange === 'never_left')
      return { outcome: 'not_charged', code: 'provider.unavailable', message: exchange.message };
    if (exchange.exchange === 'unclear') return { outcome: 'in_doubt', message: exchange.message };
    const { status, headers, body } = exchange;
    if (status < 200 || status > 299) return failedReply(status, headers, body, options.nowMs());
    const requestId = headers['x-request-id'];
    const json = parse(body);
    const reply = isText
      ? readTextReply(json, request, options.prices, estimateUsd(options.prices, request))
      : readImageReply(json, options.prices, typeof requestId === 'string' ? requestId : undefined);
    // What cannot be used is kept as it came, to be looked into; never as an empty file (cases C22).
    return reply.outcome === 'answer' && reply.unusable !== undefined
      ? { ...reply, content: body, contentType: 'application/json' }
      : reply;
  }

  return {
    name: 'http',
    honoursIdempotencyKey: options.honoursIdempotencyKey,
    limits: { concurrentCalls: options.concurrentCalls, callsPerMinute: options.callsPerMinute },
    estimateUsd: (request) => estimateUsd(options.prices, request),
    send,
  };
}

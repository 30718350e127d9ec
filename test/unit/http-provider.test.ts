import { failedReply } from '../../src/providers/http/failed-reply';
import { retryAfterMs } from '../../src/providers/http/retry-after';
import { stripFence } from '../../src/providers/http/strip-fence';
import { createHttpProvider } from '../../src/providers/http/provider';
import { imageCall, textCall } from '../support/buying';
import { FAKE_PRICES, startFakeProvider, type FakeProvider } from '../support/fake-provider';

const NOW_MS = Date.UTC(2026, 2, 25, 4, 12, 11);

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Wed, 25 Mar 2026 04:12:14 GMT' }, 3_000],
    [{ 'retry-after': 'Wed, 25 Mar 2026 04:00:00 GMT' }, 0],
    [{ 'retry-after': 'abc', 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after': '2', 'retry-after-ms': 'x' }, 2_000],
    [{ 'retry-after': '86400' }, 86_400_000],
    [{ 'retry-after': '9999999999' }, 9_999_999_999_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'foo 1' }, undefined],
    [{}, undefined],
  ])('is read from %j as %p ms', (headers, expected) => {
    expect(retryAfterMs(headers, NOW_MS)).toBe(expected);
  });
});

describe('a status that is no answer', () => {
  const body = (code: string) => Buffer.from(JSON.stringify({ error: { code, message: 'words' } }));

  it.each([
    [429, 'insufficient_quota', { outcome: 'account' }],
    [429, 'rate_limit_exceeded', { outcome: 'not_charged', code: 'provider.rate_limited' }],
    [429, 'RESOURCE_EXHAUSTED quota', { outcome: 'not_charged', code: 'provider.rate_limited' }],
    [500, 'server_error', { outcome: 'not_charged', code: 'provider.unavailable' }],
    [503, '', { outcome: 'not_charged', code: 'provider.unavailable' }],
    [502, '', { outcome: 'in_doubt' }],
    [504, '', { outcome: 'in_doubt' }],
    [520, '', { outcome: 'in_doubt' }],
    [524, '', { outcome: 'in_doubt' }],
    [401, 'invalid_api_key', { outcome: 'account' }],
    [403, '', { outcome: 'account' }],
    [404, 'model_not_found', { outcome: 'account' }],
    [302, '', { outcome: 'account' }],
    [400, 'content_policy_violation', { outcome: 'refused', reason: 'HTTP 400: words', costUsd: 0 }],
    [400, 'moderation_blocked', { outcome: 'refused' }],
    [400, 'invalid_value', { outcome: 'rejected', message: 'HTTP 400: words' }],
    [413, '', { outcome: 'rejected' }],
    [422, '', { outcome: 'rejected' }],
  ])('%i %s means %j', (status, code, expected) => {
    expect(failedReply(status, {}, body(code), NOW_MS)).toMatchObject(expected);
  });

  it('says what a proxy said where the vendor says nothing', () => {
    expect(failedReply(502, {}, Buffer.from('<h1>Bad gateway</h1>'), NOW_MS)).toMatchObject({
      message: 'HTTP 502: <h1>Bad gateway</h1>',
    });
  });
});

describe('the JSON of an answer', () => {
  const json = '{"line":"He says ``` and leaves"}';

  it.each([
    ['plain, with backticks in a line of dialogue', json, json],
    ['in a fence, with talk around it', `Sure!\n\`\`\`json\n${json}\n\`\`\`\nHope this helps!`, json],
    ['in a fence without a language', `\`\`\`\n${json}\n\`\`\``, json],
    ['two objects', '{"a":1}{"b":2}', '{"a":1}{"b":2}'],
    ['a comma too many', '```json\n{"a":1,}\n```', '```json\n{"a":1,}\n```'],
  ])('%s', (_what, answer, kept) => {
    expect(stripFence(answer)).toBe(kept);
  });
});

describe('the http provider', () => {
  let fake: FakeProvider;
  const options = { idempotencyKey: 'key-1', label: { stepId: 's', itemId: 'i' } };
  const providerOf = (apiKey?: string) =>
    createHttpProvider({
      url: `${fake.url}/v1/`,
      apiKey,
      honoursIdempotencyKey: false,
      concurrentCalls: 1,
      callsPerMinute: 60,
      prices: FAKE_PRICES,
      nowMs: () => NOW_MS,
    });

  beforeEach(async () => {
    fake = await startFakeProvider({ apiKey: 'secret' });
  });
  afterEach(() => fake.close());

  it('sends the schema, the input and the key, and charges by the tokens that came back', async () => {
    const reply = await providerOf('secret').send(textCall('scene-1').request, {
      ...options,
      deadline: AbortSignal.timeout(10_000),
    });
    expect(reply).toMatchObject({
      outcome: 'answer',
      usage: { inputTokens: 1_000, outputTokens: 500 },
      providerRequestId: 'cmpl-0',
    });
    expect(reply.outcome === 'answer' && reply.costUsd).toBeCloseTo(fake.tillUsd(), 10);
    expect(fake.seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      key: 'key-1',
      body: {
        model: 'writer-1',
        response_format: { type: 'json_schema', json_schema: { name: 'scene_detail', schema: { type: 'object' } } },
      },
    });
  });

  it('answers account, not an exception, for a wrong key', async () => {
    const reply = await providerOf('wrong').send(imageCall('a').request, {
      ...options,
      deadline: AbortSignal.timeout(10_000),
    });
    expect(reply).toEqual({ outcome: 'account', message: 'HTTP 401: Incorrect API key provided' });
  });

  it('is in doubt when the deadline passes with the request out, and says how long it waited', async () => {
    fake.fail({ fault: 'hold' });
    const deadline = new AbortController();
    const sending = providerOf('secret').send(imageCall('a').request, { ...options, deadline: deadline.signal });
    await fake.arrived(1);
    deadline.abort(new Error('no answer within 1 s'));
    expect(await sending).toEqual({ outcome: 'in_doubt', message: 'no answer within 1 s' });
  });

  it('estimates at least what the server charges', () => {
    expect(providerOf().estimateUsd(imageCall('a').request)).toBe(FAKE_PRICES.imageUsd);
    expect(providerOf().estimateUsd(textCall('a').request)).toBeGreaterThan(0.003);
  });
});

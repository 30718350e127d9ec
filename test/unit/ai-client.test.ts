import { createAiClient, type AiClient, type SendOutcome } from '../../src/contexts/ai-client';
import { buildAiRequest, type AiRequest } from '../../src/contexts/ai-request';
import { eventually } from '../support/eventually';
import { openFakeAiService, type FakeAiService } from '../support/fake-ai-service';

let service: FakeAiService;
beforeAll(async () => {
  service = await openFakeAiService();
});
afterAll(() => service.close());
beforeEach(() => service.reset());

const request = (contextId = '1') =>
  buildAiRequest({ contextId, projectId: 'p', title: 'Fog', body: 'It comes.' }, ['summary'], `r-${contextId}`);

const send = (client: AiClient, asked: AiRequest, stop?: AbortSignal): Promise<SendOutcome> =>
  client.inTurn((post) => post(asked, stop));

describe('the client of the AI service', () => {
  it('sends few at once, keeps some waiting, and refuses what does not fit, without sending it', async () => {
    const client = createAiClient(service.settings({ concurrentRequests: 2, queueLength: 3 }));
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    service.answerWith(async () => {
      await held;
      return { status: 202 };
    });
    const sends = Array.from({ length: 7 }, (_, index) => send(client, request(String(index))));
    await eventually('two are under way', () => service.open() === 2);
    expect(await sends[5]).toMatchObject({ sent: false, reason: 'queue_full' });
    expect(await sends[6]).toMatchObject({ sent: false, reason: 'queue_full' });
    go();
    expect(await Promise.all(sends.slice(0, 5))).toEqual(Array.from({ length: 5 }, () => ({ sent: true })));
    expect(service.mostOpen()).toBe(2);
    await client.idle();
    expect(service.asked.map((asked) => asked.request.contextId)).toEqual(['0', '1', '2', '3', '4']);
  });

  it('has room again when a request has failed', async () => {
    const client = createAiClient(service.settings({ concurrentRequests: 1, queueLength: 1 }));
    service.answerWith(() => 'hang up');
    expect(await send(client, request())).toMatchObject({ sent: false, reason: 'unreachable' });
    service.answerWith(() => ({ status: 202 }));
    expect(await send(client, request())).toEqual({ sent: true });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [400, 'refused'],
    [404, 'refused'],
    [429, 'refused'],
    [200, 'refused'],
    [302, 'refused'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('takes %d for %s, with the beginning of what was said', async (status, reason) => {
    service.answerWith(() => ({ status, body: `because ${'x'.repeat(100_000)}` }));
    const outcome = await send(createAiClient(service.settings()), request());
    expect(outcome).toMatchObject({
      sent: false,
      reason,
      detail: expect.stringMatching(new RegExp(`^HTTP ${status} because x`)),
    });
    expect(JSON.stringify(outcome).length).toBeLessThan(400);
  });

  it('gives up at once when it is told to stop, also what has not left yet', async () => {
    const client = createAiClient(service.settings({ concurrentRequests: 1 }));
    const stopping = new AbortController();
    service.answerWith(() => 'nothing');
    const sends = [send(client, request('1'), stopping.signal), send(client, request('2'), stopping.signal)];
    await eventually('one is under way', () => service.open() === 1);
    stopping.abort();
    expect(await Promise.all(sends)).toEqual([
      expect.objectContaining({ reason: 'stopped' }),
      expect.objectContaining({ reason: 'stopped' }),
    ]);
    expect(service.asked).toHaveLength(1);
  });

  it('without an address fails each request, and says which setting is missing', async () => {
    expect(await send(createAiClient(service.settings({ url: undefined })), request())).toMatchObject({
      sent: false,
      reason: 'not_configured',
      detail: expect.stringContaining('AI_URL'),
    });
  });

  it('without a secret sends no header of it', async () => {
    await send(createAiClient(service.settings({ secret: undefined })), request());
    expect(service.asked[0]?.authorization).toBeUndefined();
  });

  it('keeps the path of an address', async () => {
    const { url } = service;
    expect(
      await send(createAiClient(service.settings({ url: url.replace(/\/$/, '/behind/a/proxy') })), request()),
    ).toEqual({ sent: true });
  });
});

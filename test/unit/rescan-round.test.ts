import type { AskOutcome } from '../../src/contexts/ask';
import { runRound, type RoundSteps } from '../../src/rescan/round';
import { keepingLog } from '../support/rescan';

const claimed = (...ids: string[]) => ids.map((contextId) => ({ contextId, retryCount: 1 }));
const finalizedRow = (contextId: string, lastFailure: string | null) => ({
  contextId,
  before: { embedding: 'PENDING', summary: 'PROCESSING' } as const,
  retryCount: 3,
  lastFailure,
  requestId: 'r-1',
});

function round(
  steps: Partial<RoundSteps>,
  changes: { batchSize?: number; concurrentRequests?: number; stop?: AbortSignal } = {},
) {
  const { log, lines } = keepingLog();
  const calls: string[] = [];
  const noted = <A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>) => {
    return (...args: A) => {
      calls.push(name);
      return work(...args);
    };
  };
  const all: RoundSteps = {
    finalizeBatch: noted('finalize', steps.finalizeBatch ?? (async () => [])),
    claim: noted('claim', steps.claim ?? (async () => [])),
    ask: noted('ask', steps.ask ?? (async () => ({ outcome: 'sent' }))),
    endOrphan: noted('endOrphan', steps.endOrphan ?? (async () => true)),
    count: steps.count ?? (async () => undefined),
  };
  let now = 0;
  const options = {
    batchSize: 100,
    concurrentRequests: 8,
    log,
    stop: new AbortController().signal,
    monotonicMs: () => (now += 5),
    ...changes,
  };
  return { lines, calls, counts: runRound(all, options) };
}

describe('a round', () => {
  it('finalizes before it claims, and claims before it asks', async () => {
    const { calls, counts } = round({ claim: async () => claimed('1') });
    await counts;
    expect(calls).toEqual(['finalize', 'claim', 'ask']);
  });

  it('finalizes batch after batch until one is not full', async () => {
    const batches = [
      [finalizedRow('1', 'x'), finalizedRow('2', 'x')],
      [finalizedRow('3', 'x'), finalizedRow('4', 'x')],
      [finalizedRow('5', 'x')],
    ];
    const { calls, counts } = round({ finalizeBatch: async () => batches.shift() ?? [] }, { batchSize: 2 });
    expect(await counts).toMatchObject({ finalized: 5 });
    expect(calls).toEqual(['finalize', 'finalize', 'finalize', 'claim']);
  });

  it('says in one INFO line what it did', async () => {
    const outcomes: AskOutcome[] = [
      { outcome: 'sent' },
      { outcome: 'failed', reason: 'timeout' },
      { outcome: 'failed', reason: 'timeout' },
      { outcome: 'failed', reason: 'unauthorized' },
      { outcome: 'nothing_owed' },
      { outcome: 'no_context', deleted: false, statuses: { embedding: 'PENDING', summary: 'PENDING' } },
    ];
    const { counts, lines } = round({
      finalizeBatch: async () => [finalizedRow('9', 'x')],
      claim: async () => claimed('1', '2', '3', '4', '5', '6'),
      ask: async () => outcomes.shift()!,
    });
    const told = {
      finalized: 1,
      claimed: 6,
      sent: 1,
      failed: 3,
      failures: { timeout: 2, unauthorized: 1 },
      inconsistent: 1,
      unneeded: 1,
      left: 0,
      durationMs: 5,
    };
    expect(await counts).toEqual(told);
    expect(lines.filter((line) => line.level === 'info')).toEqual([
      { level: 'info', message: 'rescan round', fields: told },
    ]);
  });

  it('tells of each FAILED row why, or that nobody said why and where to look', async () => {
    const { counts, lines } = round({
      finalizeBatch: async () => [finalizedRow('7', 'HTTP 500'), finalizedRow('8', null)],
    });
    await counts;
    const [known, unknown] = lines.filter((line) => line.level === 'warn');
    expect(known?.fields).toMatchObject({
      contextId: '7',
      retryCount: 3,
      before: { embedding: 'PENDING', summary: 'PROCESSING' },
      lastFailure: 'HTTP 500',
    });
    expect(unknown?.fields).toMatchObject({
      contextId: '8',
      requestId: 'r-1',
      lastFailure: expect.stringMatching(/nobody said why.*r-1.*AI service's log/),
    });
  });

  it('logs an inconsistency with id and stages, ends the work of a deleted context, and leaves a row without any context to finalize', async () => {
    const ended: string[] = [];
    const statuses = { embedding: 'PENDING', summary: 'PROCESSING' } as const;
    const { counts, lines } = round({
      claim: async () => claimed('1', '2'),
      ask: async (contextId) => ({ outcome: 'no_context', deleted: contextId === '1', statuses }),
      endOrphan: async (contextId) => ended.push(contextId) > 0,
    });
    expect(await counts).toMatchObject({ inconsistent: 2, sent: 0 });
    expect(ended).toEqual(['1']);
    expect(lines.filter((line) => line.level === 'error').map((line) => line.fields)).toEqual([
      { contextId: '1', stages: statuses, deleted: true },
      { contextId: '2', stages: statuses, deleted: false },
    ]);
  });

  it('goes on with the others where the work of a deleted context cannot be ended', async () => {
    const { counts } = round({
      claim: async () => claimed('1', '2'),
      ask: async (contextId) =>
        contextId === '1'
          ? { outcome: 'no_context', deleted: true, statuses: { embedding: 'PENDING', summary: 'PENDING' } }
          : { outcome: 'sent' },
      endOrphan: async () => Promise.reject(new Error('the database is away')),
    });
    expect(await counts).toMatchObject({ inconsistent: 1, sent: 1 });
  });

  it('asks for several at once, and never for more than the bound', async () => {
    let open = 0;
    let most = 0;
    const { counts } = round(
      {
        claim: async () => claimed(...Array.from({ length: 50 }, (_, index) => String(index))),
        ask: async () => {
          open += 1;
          most = Math.max(most, open);
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          return { outcome: 'sent' };
        },
      },
      { concurrentRequests: 7 },
    );
    expect(await counts).toMatchObject({ sent: 50 });
    expect(most).toBe(7);
  });

  it('begins nothing more when it is told to stop, and counts what it left', async () => {
    const stopping = new AbortController();
    const { counts } = round(
      {
        claim: async () => claimed('1', '2', '3', '4'),
        ask: async (contextId) => {
          if (contextId === '2') stopping.abort();
          return { outcome: 'sent' };
        },
      },
      { concurrentRequests: 1, stop: stopping.signal },
    );
    expect(await counts).toMatchObject({ claimed: 4, sent: 2, left: 2 });
  });

  it('that fails half way tells and counts what it did until then', async () => {
    const counted: unknown[] = [];
    const { counts, lines } = round({
      finalizeBatch: async () => [finalizedRow('1', 'x'), finalizedRow('2', 'x')],
      claim: async () => Promise.reject(new Error('the database is away')),
      count: async (told) => void counted.push(told),
    });
    await expect(counts).rejects.toThrow('the database is away');
    expect(counted).toEqual([expect.objectContaining({ finalized: 2, claimed: 0, durationMs: 5 })]);
    expect(lines.filter((line) => line.level === 'info').map((line) => line.fields)).toEqual(counted);
  });

  it('claims nothing where finalize fails: a round without its first half counts no retry', async () => {
    const { calls, counts } = round({ finalizeBatch: async () => Promise.reject(new Error('the database is away')) });
    await expect(counts).rejects.toThrow('the database is away');
    expect(calls).toEqual(['finalize']);
  });
});

import { runAndWait } from '../../src/operations/rescan/act';
import type { RescanDependencies } from '../../src/operations/rescan/dependencies';

afterEach(() => jest.restoreAllMocks());

it('a round that is asked for is waited for no longer than was said, where each look takes seconds for want of a worker', async () => {
  let nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const loop = {
    workflowId: 'rescan/default',
    ask: () => Promise.resolve(),
    status: () => {
      nowMs += 5_000;
      return Promise.resolve(null);
    },
  };
  const deps = {
    loop,
    db: { insertInto: () => ({ values: () => ({ execute: () => Promise.resolve([]) }) }) },
    rescan: { intervalMs: 1_000, batchSize: 1 },
    ai: { timeoutMs: 1, concurrentRequests: 1 },
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
  } as unknown as RescanDependencies;
  expect(await runAndWait(deps, 'tester', 60_000)).toMatchObject({ told: { act: 'run' }, round: null });
  expect(nowMs).toBeLessThan(1_000 + 60_000 + 6_000); // at most one look more
});

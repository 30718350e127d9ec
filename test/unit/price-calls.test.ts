import type { CallPlan } from '../../src/execution/needed-items';
import { priceCalls, type Pricing } from '../../src/execution/price-calls';
import { imageCall } from '../support/buying';

/** A call of one item that has to be asked, with a request of this hash. */
const asks = (item: string, requestHash: string, change: Partial<CallPlan> = {}): CallPlan => ({
  call: { ...imageCall(item), items: [item] },
  requestHash,
  needed: [item],
  unmarked: [],
  givenUp: [],
  ...change,
});

const price = (calls: readonly CallPlan[], change: Partial<Pricing> = {}) =>
  priceCalls(calls, {
    states: () => 'none',
    generationOf: () => 0,
    willReadAnew: () => false,
    estimateUsd: () => 0.04,
    ...change,
  });
const actions = (priced: ReturnType<typeof price>) => priced.items.map(({ itemId, action }) => `${itemId}: ${action}`);

describe('calls with the very same request', () => {
  it('are bought once: the first is priced, the others reuse it and say so; another request is not touched', () => {
    const priced = price([asks('a', 'same'), asks('b', 'other'), asks('c', 'same'), asks('d', 'same')]);
    expect(priced).toMatchObject({ calls: 2, costUsd: 0.08, reused: 2, inDoubt: 0 });
    expect(actions(priced)).toEqual(['a: buy', 'b: buy', 'c: reuse', 'd: reuse']);
    expect(priced.items[2]!.reason).toContain('bought once');
  });

  it('are bought once more under a key that is charged once, too', () => {
    expect(price([asks('a', 'same'), asks('b', 'same')], { states: () => 'buy_again' })).toMatchObject({
      calls: 1,
      costUsd: 0.04,
      reused: 1,
    });
  });

  it('are bought once in each generation', () => {
    const priced = price([asks('a', 'same'), asks('b', 'same'), asks('c', 'same')], {
      generationOf: (item) => (item === 'b' ? 1 : 0),
    });
    expect(actions(priced)).toEqual(['a: buy', 'b: buy', 'c: reuse']);
  });

  it('count each where what they read is made anew first, since they may differ by then', () => {
    const priced = price([asks('a', 'same'), asks('b', 'same'), asks('c', 'same')], {
      willReadAnew: (item) => item !== 'a',
    });
    expect(priced).toMatchObject({ calls: 3, reused: 0 });
  });

  it('buy nothing where the first has its result, was refused, or is in doubt', () => {
    expect(price([asks('a', 'same', { needed: [] }), asks('b', 'same')], { states: () => 'settled' })).toMatchObject({
      calls: 0,
      reused: 2,
    });
    expect(actions(price([asks('a', 'same'), asks('b', 'same')], { states: () => 'refused' }))).toEqual([
      'a: keep_failed',
      'b: keep_failed',
    ]);
    expect(price([asks('a', 'same'), asks('b', 'same')], { states: () => 'in_doubt' })).toMatchObject({
      calls: 0,
      inDoubt: 2,
    });
  });
});

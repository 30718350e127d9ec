import type { Plan } from '../crash/kit/plan';
import { readOptions } from '../crash/kit/options';
import { fairOrder } from '../crash/kit/sample';

/** The parts of the money-safety kit (docs/crash.md) that decide which points are tried. */
const plans: Plan[] = ['sql', 'file', 'provider'].flatMap((stratum, at) =>
  Array.from({ length: 10 * (at + 1) }, (_, number) => ({
    variant: 'offline' as const,
    kills: [`${stratum} ${number}`],
    stratum,
  })),
);

test('every beginning of a fair sample has as many of the rare kind as of the common ones', () => {
  const first = fairOrder(plans, 1).slice(0, 9);
  for (const stratum of ['sql', 'file', 'provider'])
    expect(first.filter((plan) => plan.stratum === stratum)).toHaveLength(3);
});

test('a sample leaves nothing out and nothing twice, is the same for the same seed, and another for another', () => {
  const order = fairOrder(plans, 1);
  expect(new Set(order)).toEqual(new Set(plans));
  expect(order).toHaveLength(plans.length);
  expect(fairOrder(plans, 1)).toEqual(order);
  expect(fairOrder(plans, 2)).not.toEqual(order);
});

test('options: the seed is the date where none is given, and what cannot be is refused by name', () => {
  expect(readOptions(['--sample'], 20260325)).toMatchObject({ sample: true, seed: 20260325, sampleMs: 180_000 });
  expect(readOptions(['--seed', '7', '--variant', 'http-ask'], 1)).toMatchObject({ seed: 7, variants: ['http-ask'] });
  expect(() => readOptions(['--variant', 'nobody'], 1)).toThrow('There is no variant "nobody"');
  expect(() => readOptions(['--at-once', '0'], 1)).toThrow('--at-once 0');
});

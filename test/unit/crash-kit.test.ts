import type { Plan } from '../crash/kit/plan';
import { chained, placeInRun } from '../crash/kit/chain';
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

describe('several kills in one episode', () => {
  const plan = (name: string, variant: Plan['variant'] = 'offline'): Plan => ({ variant, kills: [name], stratum: 's' });
  const of = (step: string, number: number) =>
    plan(`src/a.ts:${number} | COMMIT | after | runStep ${step}, row running`);

  test('each point has its place in the run: by the activity in its state, or by what it does', () => {
    expect(placeInRun(of('world_guide', 1))).toBe(0);
    expect(placeInRun(of('entity_t2i', 1))).toBe(placeInRun(of('shot_selection', 1)));
    expect(placeInRun(plan('a | INSERT x | before | refreshStep t2i_review.refresh, row running'))).toBe(4);
    expect(placeInRun(plan('a | INSERT x | before | announceStep scene_detail.decide'))).toBe(2);
    expect(placeInRun(plan('temporal sdk | complete activity scene_detail | after | process'))).toBe(2);
    expect(placeInRun(plan('src/ledger/beat.ts:13 | WITH SKIP | before | heartbeat'))).toBeNull();
    expect(placeInRun({ ...of('world_guide', 1), kills: ['first', 'a | b | after | runStep world_guide'] })).toBeNull();
  });

  test('comes in the order of the steps, one a place, of one variant; nothing is left out and nothing twice', () => {
    const all = [
      of('scene_detail', 1),
      plan('src/ledger/beat.ts:13 | WITH SKIP | before | heartbeat'),
      of('entity_t2i', 1),
      of('shot_selection', 1),
      of('world_guide', 1),
      of('world_guide', 2),
      plan('x | send text | after | runStep scene_detail, row running', 'http-keys'),
    ];
    const chains = chained(all);
    expect(chains.map(({ parts, kills }) => parts?.map((part) => all.indexOf(part)) ?? kills.length)).toEqual([
      [4, 2, 0],
      1,
      [5, 3],
      1,
    ]);
    expect(chains.flatMap(({ kills }) => kills).sort()).toEqual(all.flatMap(({ kills }) => kills).sort());
  });
});

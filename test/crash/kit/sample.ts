import type { Plan } from './plan';

/** A seeded generator of numbers from 0 to 1 (mulberry32): the same seed, the same sample. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const mixed = [...all];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

/**
 * All plans in an order of which every beginning is a fair sample: the strata take turns in a drawn order, each giving its
 * plans in a drawn order.
 */
export function fairOrder(plans: readonly Plan[], seed: number): readonly Plan[] {
  const random = randomOf(seed);
  const strata = new Map<string, Plan[]>();
  for (const plan of plans) strata.set(plan.stratum, [...(strata.get(plan.stratum) ?? []), plan]);
  const queues = shuffled([...strata.values()], random).map((stratum) => shuffled(stratum, random));
  const order: Plan[] = [];
  for (let turn = 0; order.length < plans.length; turn += 1)
    for (const queue of queues) if (queue[turn]) order.push(queue[turn]!);
  return order;
}

import type { ProviderRequest } from '../providers/port';
import type { RequestState, RequestStates } from '../purchases/request-states';
import type { CallPlan } from './needed-items';
import type { PlannedItem, PlannedStep } from './planned-step';

export interface Pricing {
  readonly states: RequestStates;
  /** The generation that an item will be asked in. */
  generationOf(item: string): number;
  /** What it reads is made anew first, so that its request will be another one: its settled purchase does not count. */
  willReadAnew(item: string): boolean;
  estimateUsd(request: ProviderRequest): number;
}

/**
 * What the calls of a step come to: what is bought and for how much, what is reused, what is in doubt. One request in one
 * generation is bought once, whatever items ask it (spec 40 "Purchases"). Dollars. Pure.
 */
export function priceCalls(
  calls: readonly CallPlan[],
  pricing: Pricing,
): Pick<PlannedStep, 'calls' | 'costUsd' | 'reused' | 'inDoubt' | 'items'> {
  const items: PlannedItem[] = [];
  const toBuy = new Set<string>();
  let [bought, costUsd] = [0, 0];
  for (const call of calls) {
    const generation = Math.max(0, ...call.needed.map((item) => pricing.generationOf(item)));
    // A request that will be another one by then may differ from its twin of today: both count.
    const request = readsAnew(call, pricing) ? null : `${call.requestHash} ${generation}`;
    const isAskedAlready = request !== null && toBuy.has(request);
    const outcome = isAskedAlready ? ASKED_ALREADY : outcomeOf(stateOf(call, generation, pricing));
    if (outcome.action === 'buy') {
      if (request !== null) toBuy.add(request);
      bought += 1;
      costUsd += pricing.estimateUsd(call.call.request);
    }
    for (const item of call.call.items) items.push({ itemId: item, ...ofItem(call, item, outcome) });
  }
  const count = (action: PlannedItem['action']) => items.filter((item) => item.action === action).length;
  return { calls: bought, costUsd: roundUsd(costUsd), reused: count('reuse'), inDoubt: count('in_doubt'), items };
}

function stateOf(call: CallPlan, generation: number, pricing: Pricing): RequestState {
  if (call.needed.length === 0) return 'settled';
  return readsAnew(call, pricing) ? 'none' : pricing.states(call.requestHash, generation);
}

function readsAnew(call: CallPlan, pricing: Pricing): boolean {
  return call.needed.some((item) => pricing.willReadAnew(item));
}

/** Sums of dollars without the dust of binary fractions. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

type Outcome = Omit<PlannedItem, 'itemId'>;

const ASKED_ALREADY: Outcome = { action: 'reuse', reason: 'another item asks the very same, and it is bought once' };

function ofItem(call: CallPlan, item: string, outcome: Outcome): Outcome {
  if (call.givenUp.includes(item)) return { action: 'keep_failed', reason: 'given up by the operator' };
  return call.needed.includes(item) ? outcome : { action: 'reuse', reason: 'its result is kept' };
}

function outcomeOf(state: RequestState): Outcome {
  switch (state) {
    case 'settled':
      return { action: 'reuse', reason: 'its call was paid for, and the answer is kept' };
    case 'refused':
      return { action: 'keep_failed', reason: 'the provider refused it' };
    case 'given_up':
      return { action: 'keep_failed', reason: 'given up by the operator' };
    case 'open':
    case 'in_doubt':
      return { action: 'in_doubt', reason: 'its call may have been paid for' };
    case 'buy_again':
      return { action: 'buy', reason: 'asked again under the same key, or as the operator said' };
    case 'none':
      return { action: 'buy', reason: 'it has no result that stands' };
  }
}

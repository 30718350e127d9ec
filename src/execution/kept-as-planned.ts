import { ifReadable } from '../pipeline/checkpoint-body';
import type { StepDefinition, StepInputs } from '../pipeline/definition';
import type { KeptItem } from '../store/items';
import type { PlannedItem } from './planned-step';

/**
 * What a skipped step keeps, item by item, in the order of its calls (spec 40 "Plan"). What is kept of an item that the step has no
 * more (a shot that is switched off) is left out; where its calls cannot be told, all stand. Pure.
 */
export function keptAsPlanned(
  step: StepDefinition,
  inputs: StepInputs,
  kept: ReadonlyMap<string, KeptItem>,
): readonly PlannedItem[] {
  const calls = ifReadable(() => step.calls(inputs));
  const items = calls ? calls.flatMap((call) => call.items) : [...kept.keys()];
  return items.flatMap((itemId) => {
    const item = kept.get(itemId);
    return item ? [asPlanned(item)] : [];
  });
}

function asPlanned({ itemId, status, errorCode }: KeptItem): PlannedItem {
  if (status === 'done') return { itemId, action: 'reuse', reason: 'its result is kept' };
  return { itemId, action: 'keep_failed', reason: `it failed: ${errorCode ?? 'its result cannot be read'}` };
}

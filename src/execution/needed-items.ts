import type { ArtifactProbe, StepCall, StepDefinition } from '../pipeline/definition';
import { hashOf } from '../hash';
import { WHOLE_STEP } from '../store/generations';
import type { KeptItem } from '../store/items';

/** A call with what of it has to be asked, and what is there already. */
export interface CallPlan {
  readonly call: StepCall;
  readonly requestHash: string;
  /** Items to ask, in the call's order; empty: nothing to buy. */
  readonly needed: readonly string[];
  /** Items whose mark may go: their request is unchanged, so the result stays (spec 20 "Items"). */
  readonly unmarked: readonly string[];
  /** Items that failed and are not asked again by a rerun: the operator gave them up. */
  readonly givenUp: readonly string[];
}

/**
 * Which items a run has to ask: those without a result, with one that failed or fails verify or has another schema version,
 * and those marked stale whose request has changed (spec 20 "Items"). A new model, prompt version or setting by itself asks
 * nothing again.
 */
export async function planCalls(
  step: StepDefinition,
  calls: readonly StepCall[],
  kept: ReadonlyMap<string, KeptItem>,
  marks: ReadonlyMap<string, string>,
  artifacts: ArtifactProbe,
): Promise<readonly CallPlan[]> {
  // A review that was not applied is of use only for the very prompts that it read.
  const readsVictims = step.modifiesCheckpoints.length > 0;
  const plans: CallPlan[] = [];
  for (const call of calls) {
    const requestHash = hashOf(call.request);
    const needed: string[] = [];
    const unmarked: string[] = [];
    const givenUp: string[] = [];
    for (const item of call.items) {
      const result = kept.get(item);
      const marked = marks.has(item) || marks.has(WHOLE_STEP);
      // Switched on: asked unless kept (spec 20 "Contract"): a toggle's mark never asks a kept item again.
      const mayHaveChanged = marks.has(WHOLE_STEP) || (marks.has(item) && marks.get(item) !== 'toggle');
      if (result?.status === 'failed' && result.errorCode === 'purchase.given_up' && !marked) givenUp.push(item);
      else if (!result || result.status === 'failed' || result.schemaVersion !== step.schemaVersion) needed.push(item);
      else if ((mayHaveChanged || readsVictims) && result.requestHash !== requestHash) needed.push(item);
      else if (!(await resultStands(result, call, artifacts))) needed.push(item);
      else if (marked) unmarked.push(item);
    }
    plans.push({ call, requestHash, needed, unmarked, givenUp });
  }
  return plans;
}

/** A result that names an image stands only while the image is there, whole, and of the size asked for: as verify has it. */
async function resultStands(kept: KeptItem, { request }: StepCall, artifacts: ArtifactProbe): Promise<boolean> {
  const { result } = kept;
  if (typeof result !== 'object' || result === null || !('artifact' in result)) return true;
  const { artifact, width, height } = result as { readonly [key: string]: unknown };
  if (typeof artifact !== 'string') return false;
  const found = await artifacts.image(artifact);
  if (found.state !== 'ok') return false;
  if (request.kind !== 'image') return true;
  return [found, { width, height }].every((one) => one.width === request.width && one.height === request.height);
}

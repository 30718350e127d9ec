import type { Tx } from '../db/pool';
import { STEP_IDS, downstreamOf, upstreamOf, type StepId } from '../domain/steps';
import type { StepInputs } from '../pipeline/definition';
import { bodiesAsMade } from '../store/as-made';
import { keptItems } from '../store/items';
import type { JudgingDependencies } from './dependencies';
import { hashesOfKept, itemsThatRead, keptReaders } from './dependents';
import { withBodies, type EpisodeView } from './episode-view';
import { verifyStep } from './verify-step';

/**
 * What a restore makes stale (spec 20 "Items"): downstream, the kept items whose request reads a changed prompt, but for those
 * that were made from the restored content in the first place. What lies between a victim and its editor reads prompts as they
 * were made, before an edit. The editor itself is left alone: a person's word stands above its review, and a review that ran by
 * itself could undo the restore. Where the new content would make a clean checkpoint drift, all kept items of that step: what
 * their request still is costs nothing.
 */
export async function itemsToReadAgain(
  tx: Tx,
  deps: Pick<JudgingDependencies, 'steps' | 'artifacts' | 'log'>,
  view: EpisodeView,
  stepId: StepId,
  body: unknown,
): Promise<ReadonlyMap<StepId, readonly string[]>> {
  const editors = STEP_IDS.filter((id) => deps.steps[id].modifiesCheckpoints.includes(stepId));
  const between = new Set(editors.flatMap((editor) => upstreamOf(editor)));
  const asMade = await bodiesAsMade(tx, { projectId: view.projectId, episodeId: view.episodeId, stepId });
  const having = (one: unknown) => withBodies(view.inputs, new Map([[stepId, one]]));
  const current = view.checkpoints.get(stepId)?.body;
  const again = new Map<StepId, readonly string[]>();
  for (const id of downstreamOf(stepId)) {
    if (editors.includes(id)) continue;
    const [before, after] = between.has(id)
      ? [having(asMade(current)), having(asMade(body))]
      : [view.inputs, having(body)];
    const kept = await keptItems(tx, { projectId: view.projectId, episodeId: view.episodeId, stepId: id });
    const hashes = hashesOfKept(deps.steps[id], after);
    const reading = keptReaders(itemsThatRead([deps.steps[id]], before, after).get(id) ?? null, kept);
    const items = reading.filter((item) => hashes === null || kept.get(item)?.requestHash !== hashes.get(item));
    const drifts = items.length === 0 && (await wouldDrift(deps, view, id, having(body)));
    again.set(id, drifts ? [...kept.keys()] : items);
  }
  return again;
}

/** A finished step that verifies now, and would not with the restored content, by a card or a shape. */
async function wouldDrift(
  deps: Pick<JudgingDependencies, 'steps' | 'artifacts' | 'log'>,
  view: EpisodeView,
  id: StepId,
  after: StepInputs,
): Promise<boolean> {
  const checkpoint = view.checkpoints.get(id);
  if (!checkpoint || view.rows.get(id)?.status !== 'completed') return false;
  const step = deps.steps[id];
  const then = await verifyStep(deps, step, after, checkpoint.body);
  if (then.origin !== 'contract_drift' && then.origin !== 'invariant_drift') return false;
  return (await verifyStep(deps, step, view.inputs, checkpoint.body)).origin === 'clean';
}

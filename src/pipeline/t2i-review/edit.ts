import type { Json } from '../../domain/json';
import type { StepId } from '../../domain/steps';
import { z } from 'zod';
import { isSetAside, parseBody } from '../checkpoint-body';
import { applyCorrections } from './apply';
import { cardHashes, checkCardHashes } from './card-hashes';
import { buildPositionMap, type Position, type PositionMap } from './positions';
import { refreshSentinels } from './refresh-sentinels';
import type { Correction } from './schema';
import { entryAt, type VictimBodies } from './victims';

const entityListSchema = z.object({ entities: z.array(z.unknown()) });
const sceneListSchema = z.object({
  scenes: z.array(z.object({ scene_index: z.number().int(), t2i_variations: z.array(z.unknown()) })),
});

/** The edit of an editor step, ready to be saved in one transaction. */
export interface Edit {
  readonly bodies: VictimBodies;
  readonly changed: readonly Position[];
  /** The victims that get a new version; none where nothing changed. */
  readonly changedSteps: readonly StepId[];
  /** The changed items with what is to be kept of them from now on. */
  readonly items: readonly { readonly stepId: StepId; readonly itemId: string; readonly result: Json }[];
}

/**
 * The deterministic half of `t2i_review` (spec 20, "Editor steps", 1 to 4 and 6): applies corrections, refreshes the sentinels at exactly
 * the changed positions, and checks that no card's hash moved. Pure; the same corrections twice give the same bytes. Throws
 * t2i_review.unknown_item_id, .sentinel_refresh_failed, .card_hash_unexpected_change, and step.contract_violation for a broken body.
 */
export function editVictims(bodies: VictimBodies, corrections: readonly Correction[]): Edit {
  const before = cardHashes(bodies);
  const applied = applyCorrections(bodies, corrections, positionsIn(bodies));
  const refreshed = refreshSentinels(applied.bodies, applied.changed);
  checkCardHashes(before, refreshed, applied.changed);
  return {
    bodies: refreshed,
    changed: applied.changed,
    changedSteps: (['entity_t2i', 'scene_detail'] as const).filter((step) =>
      applied.changed.some((position) => position.step === step),
    ),
    items: applied.changed.map((position) => keptItem(refreshed, position)),
  };
}

/** Only the lists are looked at: what stands beside a prompt is judged where it is changed, and by the victim's own verify. */
function positionsIn(bodies: VictimBodies): PositionMap {
  const { entity_t2i: entityBody, scene_detail: detailBody } = bodies;
  const entities = isAbsent(entityBody) ? [] : parseBody(entityBody, 'entity_t2i', entityListSchema).entities;
  const scenes = isAbsent(detailBody) ? [] : parseBody(detailBody, 'scene_detail', sceneListSchema).scenes;
  return buildPositionMap({ entities, scenes });
}

function isAbsent(body: Json | undefined): boolean {
  return body === undefined || isSetAside(body);
}

function keptItem(bodies: VictimBodies, position: Position): Edit['items'][number] {
  const entry = entryAt(bodies, position)!;
  const itemId = position.step === 'entity_t2i' ? entry['entity_id'] : entry['shot_id'];
  return {
    stepId: position.step,
    itemId: itemId as string,
    result: { t2i_prompt: entry['t2i_prompt']!, owned_validation: entry['owned_validation']! },
  };
}

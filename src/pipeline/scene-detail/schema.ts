import { z } from 'zod';
import { requireAccountedFor } from '../accounted-for';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { loadShotSelection, shotsOf } from '../shot-selection/schema';
import { renderCardSchema } from './render-card';

export const SHOT_VALIDATOR = 'scene_detail.shot_prompt/1';

const hash = z.string().min(1);

/** The sentinel beside a variation's prompt (spec 00, 20). `_mutation_origin` informs who changed the prompt last; part of no hash. */
export const shotSentinelSchema = z.object({
  validator: z.string().min(1),
  owned_hash: hash,
  camera_direction_hash: hash,
  t2i_prompt_hash: hash,
  _mutation_origin: z.string().optional(),
});

export type ShotSentinel = z.infer<typeof shotSentinelSchema>;

export const variationSchema = z.object({
  shot_id: z.string().min(1),
  t2i_prompt: z.string(),
  owned_validation: shotSentinelSchema,
  render_prompt_card: renderCardSchema,
  render_prompt_card_hash: hash,
});

export const sceneDetailSchema = z.object({
  scenes: z.array(
    z.object({ scene_index: z.number().int().min(0), scene_id: z.string(), t2i_variations: z.array(variationSchema) }),
  ),
  failed: failedSchema,
});

export type Variation = z.infer<typeof variationSchema>;
export type SceneDetail = z.infer<typeof sceneDetailSchema>;

/** The variations' checkpoint; empty where the selection has no shot. Throws step.contract_violation, naming step and path. */
export function loadSceneDetail(inputs: StepInputs): SceneDetail {
  return loadBody(inputs, 'scene_detail', sceneDetailSchema, () =>
    shotsOf(loadShotSelection(inputs)).length === 0 ? { scenes: [], failed: [] } : null,
  );
}

/** Every variation by its shot. */
export function variationsByShot(detail: SceneDetail): ReadonlyMap<string, Variation> {
  return new Map(
    detail.scenes.flatMap((scene) => scene.t2i_variations.map((variation) => [variation.shot_id, variation] as const)),
  );
}

/** The variations with every shot of the selection accounted for: what a step reads that is made from all of them. */
export function loadEverySceneDetail(inputs: StepInputs): SceneDetail {
  const detail = loadSceneDetail(inputs);
  const expected = shotsOf(loadShotSelection(inputs)).map(({ shot }) => shot.shot_id);
  requireAccountedFor('scene_detail', expected, variationsByShot(detail).keys(), detail.failed);
  return detail;
}

import { z } from 'zod';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { loadEntityT2i } from '../entity-t2i/schema';
import { loadSceneDetail } from '../scene-detail/schema';

/** What the review names a prompt by: `S{scene_index}_L{position in scenes}_V{position in variations}` or `E_L{position}` (spec 20). */
export const itemIdSchema = z.string().regex(/^(?:S\d+_L\d+_V\d+|E_L\d+)$/);

export const correctionSchema = z.object({ item_id: itemIdSchema, t2i_prompt: z.string().min(1), reason: z.string() });
export type Correction = z.infer<typeof correctionSchema>;

const victims = <T extends z.ZodType>(value: T): z.ZodObject<{ entity_t2i: T; scene_detail: T }> =>
  z.object({ entity_t2i: value, scene_detail: value });

export const t2iReviewSchema = z.object({
  /** The checkpoint versions that the review read; 0 where the step has none. */
  reviewed: victims(z.number().int().min(0)),
  /** Hashes of the bodies it read. */
  read: victims(z.string()),
  corrections: z.array(correctionSchema),
  failed: failedSchema,
});

export type T2iReview = z.infer<typeof t2iReviewSchema>;

/** The review's checkpoint; empty where there is no prompt to review. Throws step.contract_violation, naming step and path. */
export function loadT2iReview(inputs: StepInputs): T2iReview {
  return loadBody(inputs, 't2i_review', t2iReviewSchema, () => {
    const nothing =
      loadEntityT2i(inputs).entities.length === 0 &&
      loadSceneDetail(inputs).scenes.every((scene) => scene.t2i_variations.length === 0);
    return nothing
      ? {
          reviewed: { entity_t2i: 0, scene_detail: 0 },
          read: { entity_t2i: '', scene_detail: '' },
          corrections: [],
          failed: [],
        }
      : null;
  });
}

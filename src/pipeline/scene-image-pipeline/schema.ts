import { z } from 'zod';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { isOn, loadShotSelection, shotsOf } from '../shot-selection/schema';
import { pictureSchema } from '../verify-images';

export const sceneImagesSchema = z.object({
  images: z.array(pictureSchema.extend({ shot_id: z.string().min(1) })),
  failed: failedSchema,
});

export type SceneImages = z.infer<typeof sceneImagesSchema>;

/** The shots' pictures; empty where no shot is on. Throws step.contract_violation, naming step and path. */
export function loadSceneImages(inputs: StepInputs): SceneImages {
  return loadBody(inputs, 'scene_image_pipeline', sceneImagesSchema, () =>
    shotsOf(loadShotSelection(inputs)).some(({ shot }) => isOn(inputs, shot)) ? null : { images: [], failed: [] },
  );
}

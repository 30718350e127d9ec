import { z } from 'zod';
import { ID_PATTERN } from '../../domain/ids';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { interiorSchema } from '../world-guide/schema';

export const SHOT_SIZES = [
  'extreme wide',
  'wide',
  'full',
  'medium',
  'medium close-up',
  'close-up',
  'extreme close-up',
  'insert',
  'over the shoulder',
  'two shot',
] as const;

export const shotSizeSchema = z.enum(SHOT_SIZES);

export const shotSchema = z.object({
  shot_id: z.string().regex(ID_PATTERN),
  size: shotSizeSchema,
  camera: z.string(),
  subject: z.string(),
  characters: z.array(z.string()),
  props: z.array(z.string()),
  action: z.string(),
  caption: z.string(),
  speaker: z.string(),
  on: z.boolean(),
});

export const selectedSceneSchema = z.object({
  scene_index: z.number().int().min(0),
  scene_id: z.string().regex(ID_PATTERN),
  heading: z.string(),
  place: z.string(),
  interior: interiorSchema,
  time_of_day: z.string(),
  mood: z.string(),
  shots: z.array(shotSchema),
});

export const shotSelectionSchema = z.object({ scenes: z.array(selectedSceneSchema), failed: failedSchema });

export type Shot = z.infer<typeof shotSchema>;
export type SelectedScene = z.infer<typeof selectedSceneSchema>;
export type ShotSelection = z.infer<typeof shotSelectionSchema>;

/** The shot selection's checkpoint. Throws step.contract_violation, naming step and path. */
export function loadShotSelection(inputs: StepInputs): ShotSelection {
  return loadBody(inputs, 'shot_selection', shotSelectionSchema);
}

/** Every shot with its scene, in order. */
export function shotsOf(selection: ShotSelection): { scene: SelectedScene; shot: Shot }[] {
  return selection.scenes.flatMap((scene) => scene.shots.map((shot) => ({ scene, shot })));
}

/** Whether a shot is switched on: a person's switch outweighs the selection (spec 00). */
export function isOn(inputs: StepInputs, shot: Shot): boolean {
  return inputs.shotSwitches.get(shot.shot_id) ?? shot.on;
}

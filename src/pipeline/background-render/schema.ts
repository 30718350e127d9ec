import { z } from 'zod';
import { requireAccountedFor } from '../accounted-for';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { placesAndTimes } from '../place-scenes';
import { loadShotSelection } from '../shot-selection/schema';
import { pictureSchema } from '../verify-images';
import { interiorSchema, loadWorldGuide } from '../world-guide/schema';

export const backgroundSchema = z.object({
  backgrounds: z.array(
    pictureSchema.extend({
      item_id: z.string().min(1),
      place: z.string().min(1),
      interior: interiorSchema,
      time_of_day: z.string(),
    }),
  ),
  failed: failedSchema,
});

export type Backgrounds = z.infer<typeof backgroundSchema>;

/** The backgrounds' checkpoint; empty where there is no place. Throws step.contract_violation, naming step and path. */
export function loadBackgrounds(inputs: StepInputs): Backgrounds {
  return loadBody(inputs, 'background_render', backgroundSchema, () =>
    placesAndTimes(loadWorldGuide(inputs), loadShotSelection(inputs)).length === 0
      ? { backgrounds: [], failed: [] }
      : null,
  );
}

/** The backgrounds with every place and time of day accounted for. */
export function loadEveryBackground(inputs: StepInputs): Backgrounds {
  const backgrounds = loadBackgrounds(inputs);
  const expected = placesAndTimes(loadWorldGuide(inputs), loadShotSelection(inputs)).map((wanted) => wanted.itemId);
  requireAccountedFor(
    'background_render',
    expected,
    backgrounds.backgrounds.map((one) => one.item_id),
    backgrounds.failed,
  );
  return backgrounds;
}

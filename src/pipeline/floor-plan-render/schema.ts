import { z } from 'zod';
import { requireAccountedFor } from '../accounted-for';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { placesInUse, planItemId } from '../place-scenes';
import { loadShotSelection } from '../shot-selection/schema';
import { pictureSchema } from '../verify-images';
import { loadWorldGuide } from '../world-guide/schema';

export const floorPlanSchema = z.object({
  plans: z.array(pictureSchema.extend({ item_id: z.string().min(1), place: z.string().min(1) })),
  failed: failedSchema,
});

export type FloorPlans = z.infer<typeof floorPlanSchema>;

/** The plans' checkpoint; empty where there is no place. Throws step.contract_violation, naming step and path. */
export function loadFloorPlans(inputs: StepInputs): FloorPlans {
  return loadBody(inputs, 'floor_plan_render', floorPlanSchema, () =>
    placesInUse(loadWorldGuide(inputs), loadShotSelection(inputs)).length === 0 ? { plans: [], failed: [] } : null,
  );
}

/** The plans with every place in use accounted for. */
export function loadEveryFloorPlan(inputs: StepInputs): FloorPlans {
  const plans = loadFloorPlans(inputs);
  const expected = placesInUse(loadWorldGuide(inputs), loadShotSelection(inputs)).map((place) =>
    planItemId(place.name),
  );
  requireAccountedFor(
    'floor_plan_render',
    expected,
    plans.plans.map((plan) => plan.item_id),
    plans.failed,
  );
  return plans;
}

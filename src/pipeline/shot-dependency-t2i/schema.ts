import { z } from 'zod';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';
import { loadShotSelection, shotsOf } from '../shot-selection/schema';

export const shotDependencySchema = z.object({
  dependencies: z.array(
    z.object({ shot_id: z.string().min(1), looks_like: z.string().min(1).nullable(), reason: z.string() }),
  ),
  failed: failedSchema,
});

export type ShotDependency = z.infer<typeof shotDependencySchema>;

/** The dependencies' checkpoint; empty where there is no shot. Throws step.contract_violation, naming step and path. */
export function loadShotDependency(inputs: StepInputs): ShotDependency {
  return loadBody(inputs, 'shot_dependency_t2i', shotDependencySchema, () =>
    shotsOf(loadShotSelection(inputs)).length === 0 ? { dependencies: [], failed: [] } : null,
  );
}

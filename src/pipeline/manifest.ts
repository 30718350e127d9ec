import type { StepId } from '../domain/steps';
import { backgroundStep } from './background-render/step';
import type { StepDefinition } from './definition';
import { entityT2iStep } from './entity-t2i/step';
import { floorPlanStep } from './floor-plan-render/step';
import { sceneDetailStep } from './scene-detail/step';
import { sceneImageStep } from './scene-image-pipeline/step';
import { shotDependencyStep } from './shot-dependency-t2i/step';
import { shotSelectionStep } from './shot-selection/step';
import { t2iReviewStep } from './t2i-review/step';
import { worldGuideStep } from './world-guide/step';

/** The manifest: every step of the pipeline, in order (spec 00, "The pipeline"; spec 20, "Contract"). */
export const STEPS: Readonly<Record<StepId, StepDefinition>> = {
  world_guide: worldGuideStep,
  shot_selection: shotSelectionStep,
  entity_t2i: entityT2iStep,
  scene_detail: sceneDetailStep,
  shot_dependency_t2i: shotDependencyStep,
  t2i_review: t2iReviewStep,
  floor_plan_render: floorPlanStep,
  background_render: backgroundStep,
  scene_image_pipeline: sceneImageStep,
};

export function stepDefinition(id: StepId): StepDefinition {
  return STEPS[id];
}

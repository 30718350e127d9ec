import type { StepId } from '../domain/steps';
import type { Screenplay } from '../pipeline/screenplay/screenplay';

/** Shots that a scene of an unknown selection is taken to have. */
const SHOTS_PER_SCENE = 2;

/**
 * How many calls a step will need whose inputs an earlier step of the same plan still has to make: told from the screenplay
 * alone, and marked `estimated` in the plan (spec 20 "Plan").
 */
export function estimateCalls(step: StepId, { scenes }: Screenplay): number {
  const places = new Set(scenes.map((scene) => scene.place).filter((place) => place !== ''));
  const placesAndTimes = new Set(
    scenes.filter((scene) => scene.place !== '').map((scene) => `${scene.place} ${scene.timeOfDay}`),
  );
  switch (step) {
    case 'world_guide':
    case 'shot_selection':
    case 'entity_t2i':
    case 'shot_dependency_t2i':
    case 't2i_review':
      return 1;
    case 'scene_detail':
      return scenes.length;
    case 'floor_plan_render':
      return places.size;
    case 'background_render':
      return placesAndTimes.size;
    case 'scene_image_pipeline':
      return scenes.length * SHOTS_PER_SCENE;
  }
}

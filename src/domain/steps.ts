/** The steps of the pipeline in manifest order (spec 00). The order in which rows are locked, too. */
export const STEP_IDS = [
  'world_guide',
  'shot_selection',
  'entity_t2i',
  'scene_detail',
  'shot_dependency_t2i',
  't2i_review',
  'floor_plan_render',
  'background_render',
  'scene_image_pipeline',
] as const;

export type StepId = (typeof STEP_IDS)[number];

export function isStepId(text: string): text is StepId {
  return (STEP_IDS as readonly string[]).includes(text);
}

/** What must be completed or not applicable before a step may run (spec 00, "needs"). */
export const STEP_NEEDS: Readonly<Record<StepId, readonly StepId[]>> = {
  world_guide: [],
  shot_selection: ['world_guide'],
  entity_t2i: ['world_guide'],
  scene_detail: ['shot_selection', 'entity_t2i'],
  shot_dependency_t2i: ['scene_detail'],
  t2i_review: ['shot_dependency_t2i'],
  floor_plan_render: ['t2i_review'],
  background_render: ['t2i_review', 'floor_plan_render'],
  scene_image_pipeline: ['background_render'],
};

/** All steps that need `step`, directly or not, in manifest order. */
export function downstreamOf(step: StepId): StepId[] {
  const reached = new Set<StepId>([step]);
  for (const id of STEP_IDS) if (STEP_NEEDS[id].some((need) => reached.has(need))) reached.add(id);
  reached.delete(step);
  return STEP_IDS.filter((id) => reached.has(id));
}

/** All steps that `step` needs, directly or not, in manifest order. */
export function upstreamOf(step: StepId): StepId[] {
  const reached = new Set<StepId>(STEP_NEEDS[step]);
  for (const id of [...STEP_IDS].reverse()) if (reached.has(id)) for (const need of STEP_NEEDS[id]) reached.add(need);
  return STEP_IDS.filter((id) => reached.has(id));
}

/** The item of a step that is not a fan-out (spec 00, "Words"). */
export const THE_ONE_ITEM = 'all';

/** Steps that change the checkpoints of others, and whose (spec 20 "Editor steps"). The shape of the workflow depends on it. */
export const EDITS: Readonly<Partial<Record<StepId, readonly StepId[]>>> = {
  t2i_review: ['entity_t2i', 'scene_detail'],
};

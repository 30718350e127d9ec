import { STEP_IDS, STEP_NEEDS } from '../../src/domain/steps';
import { STEPS, stepDefinition } from '../../src/pipeline/manifest';
import { PROJECT_CONFIG_KEYS } from '../../src/pipeline/project-config';

const where = (holds: (step: (typeof STEPS)[(typeof STEP_IDS)[number]]) => boolean): string[] =>
  STEP_IDS.filter((id) => holds(STEPS[id]));

describe('the manifest', () => {
  it('has every step under its own id, with the needs of the workflow', () => {
    expect(Object.keys(STEPS)).toEqual([...STEP_IDS]);
    for (const id of STEP_IDS) expect(stepDefinition(id)).toMatchObject({ id, needs: STEP_NEEDS[id] });
  });

  it('lets exactly entity_t2i rerun by itself on a schema bump', () => {
    expect(where((step) => step.allowAutoRerunOnSchemaBump)).toEqual(['entity_t2i']);
    expect(STEPS.entity_t2i.schemaVersion).toBe(2);
  });

  it('lets exactly t2i_review change checkpoints of others, and only those two', () => {
    expect(where((step) => step.modifiesCheckpoints.length > 0)).toEqual(['t2i_review']);
    expect(STEPS.t2i_review.modifiesCheckpoints).toEqual(['entity_t2i', 'scene_detail']);
  });

  it('makes exactly scene_image_pipeline stale by a toggle', () => {
    expect(where((step) => step.staleOnShotSelectionChange)).toEqual(['scene_image_pipeline']);
  });

  it('lets only these settings count for resume, so that no other one ever reruns or blocks anything', () => {
    expect(Object.fromEntries(STEP_IDS.map((id) => [id, STEPS[id].resumeConfigKeys]))).toEqual({
      world_guide: [],
      shot_selection: [],
      entity_t2i: ['style'],
      scene_detail: ['style'],
      shot_dependency_t2i: [],
      t2i_review: [],
      floor_plan_render: ['style', 'image.size'],
      background_render: ['style', 'image.size'],
      scene_image_pipeline: ['style', 'image.size'],
    });
    for (const id of STEP_IDS) for (const key of STEPS[id].resumeConfigKeys) expect(PROJECT_CONFIG_KEYS).toContain(key);
  });

  it('asks text of text steps and images of image steps', () => {
    expect(where((step) => step.kind === 'image')).toEqual([
      'floor_plan_render',
      'background_render',
      'scene_image_pipeline',
    ]);
  });
});

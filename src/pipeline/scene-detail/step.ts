import type { Json } from '../../domain/json';
import { STEP_NEEDS } from '../../domain/steps';
import { hashOf } from '../../hash';
import { failedOf, ifReadable, parseBody } from '../checkpoint-body';
import type { ItemOutcome, StepDefinition } from '../definition';
import { loadEveryEntity } from '../entity-t2i/schema';
import { loadShotSelection, shotsOf } from '../shot-selection/schema';
import { textRequest } from '../text-request';
import { loadWorldGuide } from '../world-guide/schema';
import { ANSWER_SCHEMA, INSTRUCTIONS, PROMPT_VERSION, sceneDetailInput } from './prompt';
import { readSceneDetail } from './read-answer';
import { recomputeCard, type CardSources } from './render-card';
import { sceneDetailSchema, variationsByShot } from './schema';
import { verifySceneDetail } from './verify';

/** For every scene its variations, one for each shot, on or off (spec 00, "The pipeline"). One call for each scene entry serves its shots. */
export const sceneDetailStep: StepDefinition = {
  id: 'scene_detail',
  needs: STEP_NEEDS.scene_detail,
  kind: 'text',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: ['style'],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: false,

  applies: (inputs) => {
    const selection = ifReadable(() => loadShotSelection(inputs));
    return selection === undefined || shotsOf(selection).length > 0;
  },

  calls: (inputs) => {
    const guide = loadWorldGuide(inputs);
    const entities = loadEveryEntity(inputs);
    const scenes = new Map(inputs.screenplay.scenes.map((scene) => [scene.id, scene]));
    return loadShotSelection(inputs).scenes.flatMap((selected) => {
      const scene = scenes.get(selected.scene_id);
      // A scene that the screenplay no longer has asks for nothing; the selection is stale then, and is made again first.
      if (!scene || selected.shots.length === 0) return [];
      return [
        {
          items: selected.shots.map((shot) => shot.shot_id),
          request: textRequest(inputs, {
            task: 'scene_detail',
            promptVersion: PROMPT_VERSION,
            instructions: INSTRUCTIONS,
            input: sceneDetailInput({ scene, selected, guide, entities, style: inputs.config.style }),
            schema: ANSWER_SCHEMA,
          }),
          read: async (answer) => readSceneDetail(answer, selected),
        },
      ];
    });
  },

  assemble: (inputs, items) => {
    const selection = loadShotSelection(inputs);
    const sources = { selection, guide: loadWorldGuide(inputs), style: inputs.config.style };
    return {
      scenes: selection.scenes.map((scene) => ({
        scene_index: scene.scene_index,
        scene_id: scene.scene_id,
        t2i_variations: scene.shots.flatMap((shot) => variation(shot.shot_id, items.get(shot.shot_id), sources)),
      })),
      failed: failedOf(
        shotsOf(selection).map(({ shot }) => shot.shot_id),
        items,
      ),
    };
  },

  results: (body) =>
    new Map(
      [...variationsByShot(parseBody(body, 'scene_detail', sceneDetailSchema))].map(([shotId, one]) => [
        shotId,
        { t2i_prompt: one.t2i_prompt, owned_validation: one.owned_validation },
      ]),
    ),

  verify: async (context) => verifySceneDetail(context),
};

/** The kept prompt and sentinel, with the card as selection, guide and style have it now. */
function variation(shotId: string, outcome: ItemOutcome | undefined, sources: CardSources): Json[] {
  if (outcome?.status !== 'done') return [];
  const card = recomputeCard(shotId, sources);
  return [
    {
      shot_id: shotId,
      ...(outcome.result as Record<string, Json>),
      render_prompt_card: card,
      render_prompt_card_hash: hashOf(card),
    },
  ];
}

import { STEP_NEEDS } from '../../domain/steps';
import { readImageAnswer } from '../answers/image-answer';
import { loadBackgrounds, loadEveryBackground } from '../background-render/schema';
import { failedOf, ifReadable, parseBody } from '../checkpoint-body';
import type { StepCall, StepDefinition, StepInputs } from '../definition';
import { loadEveryEntity } from '../entity-t2i/schema';
import { imageRequest } from '../image-request';
import { pictureOf, resultsOfPictures } from '../picture';
import { backgroundItemId } from '../place-scenes';
import { imageSize } from '../project-config';
import { loadEverySceneDetail, loadSceneDetail, variationsByShot } from '../scene-detail/schema';
import { loadShotDependency } from '../shot-dependency-t2i/schema';
import { isOn, loadShotSelection, shotsOf } from '../shot-selection/schema';
import { verifyImages } from '../verify-images';
import { PROMPT_VERSION, shotPicture } from './prompt';
import { sceneImagesSchema } from './schema';

/** One image for each shot that is switched on (spec 00, "The pipeline"). A shot that is off is kept, and shown no more. */
export const sceneImageStep: StepDefinition = {
  id: 'scene_image_pipeline',
  needs: STEP_NEEDS.scene_image_pipeline,
  kind: 'image',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: ['style', 'image.size'],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: true,

  applies: (inputs) => {
    const shots = ifReadable(() => shotsToDraw(inputs));
    return shots === undefined || shots.length > 0;
  },

  calls: (inputs) => {
    const variations = variationsByShot(loadEverySceneDetail(inputs));
    const entities = loadEveryEntity(inputs);
    const backgrounds = new Map(loadEveryBackground(inputs).backgrounds.map((one) => [one.item_id, one.artifact]));
    const looksLike = new Map(loadShotDependency(inputs).dependencies.map((one) => [one.shot_id, one.looks_like]));
    return shotsToDraw(inputs).flatMap(({ shotId, place, timeOfDay }): StepCall[] => {
      const variation = variations.get(shotId);
      if (!variation) return [];
      const like = variations.get(looksLike.get(shotId) ?? '');
      const background = place === '' ? undefined : backgrounds.get(backgroundItemId(place, timeOfDay));
      const { card, prompt } = shotPicture(variation, entities, like);
      return [
        {
          items: [shotId],
          request: imageRequest(inputs, {
            task: 'shot',
            promptVersion: PROMPT_VERSION,
            prompt,
            card,
            references: background ? [background] : [],
          }),
          read: (answer) => readImageAnswer(answer, shotId, imageSize(inputs.config)),
        },
      ];
    });
  },

  assemble: (inputs, items) => {
    const shots = shotsToDraw(inputs);
    return {
      images: shots.flatMap(({ shotId }) => {
        const picture = pictureOf(items.get(shotId));
        return picture ? [{ shot_id: shotId, ...picture }] : [];
      }),
      failed: failedOf(
        shots.map(({ shotId }) => shotId),
        items,
      ),
    };
  },

  results: (body) =>
    resultsOfPictures(
      parseBody(body, 'scene_image_pipeline', sceneImagesSchema).images.map((one) => [one.shot_id, one]),
    ),

  verify: (context) =>
    verifyImages(context, {
      step: 'scene_image_pipeline',
      schema: sceneImagesSchema,
      expected: () => {
        loadBackgrounds(context.inputs);
        loadSceneDetail(context.inputs);
        return shotsToDraw(context.inputs).map(({ shotId }) => shotId);
      },
      pictures: (body) => body.images.map((image) => [image.shot_id, image] as const),
    }),
};

function shotsToDraw(inputs: StepInputs): { shotId: string; place: string; timeOfDay: string }[] {
  return shotsOf(loadShotSelection(inputs))
    .filter(({ shot }) => isOn(inputs, shot))
    .map(({ scene, shot }) => ({ shotId: shot.shot_id, place: scene.place, timeOfDay: scene.time_of_day }));
}

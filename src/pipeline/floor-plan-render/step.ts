import { STEP_NEEDS } from '../../domain/steps';
import { readImageAnswer } from '../answers/image-answer';
import { failedOf, ifReadable, parseBody } from '../checkpoint-body';
import type { StepDefinition, StepInputs } from '../definition';
import { loadEveryEntity } from '../entity-t2i/schema';
import { imageRequest } from '../image-request';
import { pictureOf, resultsOfPictures } from '../picture';
import { placesInUse, planItemId, type Place } from '../place-scenes';
import { imageSize } from '../project-config';
import { loadShotSelection } from '../shot-selection/schema';
import { verifyImages } from '../verify-images';
import { loadWorldGuide } from '../world-guide/schema';
import { floorPlanPicture, PROMPT_VERSION } from './prompt';
import { floorPlanSchema } from './schema';

/** One plan for each place (spec 00, "The pipeline"). */
export const floorPlanStep: StepDefinition = {
  id: 'floor_plan_render',
  needs: STEP_NEEDS.floor_plan_render,
  kind: 'image',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: ['style', 'image.size'],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: false,

  applies: (inputs) => {
    const places = ifReadable(() => placesToDraw(inputs));
    return places === undefined || places.length > 0;
  },

  calls: (inputs) => {
    const selection = loadShotSelection(inputs);
    const entities = loadEveryEntity(inputs);
    return placesToDraw(inputs).map((place) => {
      const item = planItemId(place.name);
      const { card, prompt } = floorPlanPicture(place, selection, entities, inputs.config.style);
      return {
        items: [item],
        request: imageRequest(inputs, {
          task: 'floor_plan',
          promptVersion: PROMPT_VERSION,
          prompt,
          card,
          references: [],
        }),
        read: (answer) => readImageAnswer(answer, item, imageSize(inputs.config)),
      };
    });
  },

  assemble: (inputs, items) => {
    const places = placesToDraw(inputs);
    return {
      plans: places.flatMap((place) => {
        const picture = pictureOf(items.get(planItemId(place.name)));
        return picture ? [{ item_id: planItemId(place.name), place: place.name, ...picture }] : [];
      }),
      failed: failedOf(
        places.map((place) => planItemId(place.name)),
        items,
      ),
    };
  },

  results: (body) =>
    resultsOfPictures(parseBody(body, 'floor_plan_render', floorPlanSchema).plans.map((one) => [one.item_id, one])),

  verify: (context) =>
    verifyImages(context, {
      step: 'floor_plan_render',
      schema: floorPlanSchema,
      expected: () => placesToDraw(context.inputs).map((place) => planItemId(place.name)),
      pictures: (body) => body.plans.map((plan) => [plan.item_id, plan] as const),
    }),
};

function placesToDraw(inputs: StepInputs): Place[] {
  return placesInUse(loadWorldGuide(inputs), loadShotSelection(inputs));
}

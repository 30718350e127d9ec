import { STEP_NEEDS } from '../../domain/steps';
import { readImageAnswer } from '../answers/image-answer';
import { failedOf, ifReadable, parseBody } from '../checkpoint-body';
import { foldName } from '../content-labels';
import type { StepDefinition, StepInputs } from '../definition';
import { loadEveryEntity } from '../entity-t2i/schema';
import { loadEveryFloorPlan, loadFloorPlans } from '../floor-plan-render/schema';
import { imageRequest } from '../image-request';
import { pictureOf, resultsOfPictures } from '../picture';
import { placesAndTimes, type PlaceAndTime } from '../place-scenes';
import { imageSize } from '../project-config';
import { loadShotSelection } from '../shot-selection/schema';
import { verifyImages } from '../verify-images';
import { loadWorldGuide } from '../world-guide/schema';
import { backgroundPicture, PROMPT_VERSION } from './prompt';
import { backgroundSchema } from './schema';

/** One background for each place and time of day (spec 00, "The pipeline"); the place's plan goes along as a picture. */
export const backgroundStep: StepDefinition = {
  id: 'background_render',
  needs: STEP_NEEDS.background_render,
  kind: 'image',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: ['style', 'image.size'],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: false,

  applies: (inputs) => {
    const wanted = ifReadable(() => backgroundsToDraw(inputs));
    return wanted === undefined || wanted.length > 0;
  },

  calls: (inputs) => {
    const guide = loadWorldGuide(inputs);
    const entities = loadEveryEntity(inputs);
    const { plans } = loadEveryFloorPlan(inputs);
    return backgroundsToDraw(inputs).map((wanted) => {
      const plan = plans.find((one) => foldName(one.place) === foldName(wanted.place.name));
      const { card, prompt } = backgroundPicture(wanted, guide, entities, inputs.config.style);
      return {
        items: [wanted.itemId],
        request: imageRequest(inputs, {
          task: 'background',
          promptVersion: PROMPT_VERSION,
          prompt,
          card,
          references: plan ? [plan.artifact] : [],
        }),
        read: (answer) => readImageAnswer(answer, wanted.itemId, imageSize(inputs.config)),
      };
    });
  },

  assemble: (inputs, items) => {
    const wanted = backgroundsToDraw(inputs);
    return {
      backgrounds: wanted.flatMap(({ itemId, place, timeOfDay }) => {
        const picture = pictureOf(items.get(itemId));
        return picture
          ? [{ item_id: itemId, place: place.name, interior: place.interior, time_of_day: timeOfDay, ...picture }]
          : [];
      }),
      failed: failedOf(
        wanted.map(({ itemId }) => itemId),
        items,
      ),
    };
  },

  results: (body) =>
    resultsOfPictures(
      parseBody(body, 'background_render', backgroundSchema).backgrounds.map((one) => [one.item_id, one]),
    ),

  verify: (context) =>
    verifyImages(context, {
      step: 'background_render',
      schema: backgroundSchema,
      expected: () => {
        loadFloorPlans(context.inputs);
        return backgroundsToDraw(context.inputs).map(({ itemId }) => itemId);
      },
      pictures: (body) => body.backgrounds.map((background) => [background.item_id, background] as const),
    }),
};

function backgroundsToDraw(inputs: StepInputs): PlaceAndTime[] {
  return placesAndTimes(loadWorldGuide(inputs), loadShotSelection(inputs));
}

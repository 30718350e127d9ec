import type { Json } from '../../domain/json';
import { STEP_NEEDS } from '../../domain/steps';
import { hashOf } from '../../hash';
import { readJsonAnswer } from '../answers/json-answer';
import { failedOf, ifReadable, parseBody } from '../checkpoint-body';
import type { StepDefinition } from '../definition';
import { textRequest } from '../text-request';
import { loadWorldGuide } from '../world-guide/schema';
import { ANSWER_SCHEMA, entityAnswer, entityInput, INSTRUCTIONS, PROMPT_VERSION } from './prompt';
import { entitiesOf, entityT2iSchema, ENTITY_VALIDATOR } from './schema';
import { verifyEntityT2i } from './verify';

/** An image prompt for every character, place and prop (spec 00, "The pipeline"). One call for each. */
export const entityT2iStep: StepDefinition = {
  id: 'entity_t2i',
  needs: STEP_NEEDS.entity_t2i,
  kind: 'text',
  schemaVersion: 2,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: ['style'],
  allowAutoRerunOnSchemaBump: true,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: false,

  applies: (inputs) => {
    const guide = ifReadable(() => loadWorldGuide(inputs));
    return guide === undefined || entitiesOf(guide).length > 0;
  },

  calls: (inputs) => {
    const guide = loadWorldGuide(inputs);
    return entitiesOf(guide).map((entity) => ({
      items: [entity.entityId],
      request: textRequest(inputs, {
        task: 'entity_t2i',
        promptVersion: PROMPT_VERSION,
        instructions: INSTRUCTIONS,
        input: entityInput(entity, guide, inputs.config.style),
        schema: ANSWER_SCHEMA,
      }),
      read: async (answer) => {
        const parsed = readJsonAnswer(answer, entityAnswer);
        if (!parsed.ok) return parsed;
        const prompt = parsed.value.t2i_prompt;
        return {
          ok: true,
          results: {
            [entity.entityId]: {
              t2i_prompt: prompt,
              owned_validation: { validator: ENTITY_VALIDATOR, t2i_prompt_hash: hashOf(prompt) },
            },
          },
        };
      },
    }));
  },

  assemble: (inputs, items) => {
    const entities = entitiesOf(loadWorldGuide(inputs));
    return {
      entities: entities.flatMap(({ entityId, kind, name }): Json[] => {
        const outcome = items.get(entityId);
        return outcome?.status === 'done'
          ? [{ entity_id: entityId, kind, name, ...(outcome.result as Record<string, Json>) }]
          : [];
      }),
      failed: failedOf(
        entities.map((entity) => entity.entityId),
        items,
      ),
    };
  },

  results: (body) =>
    new Map(
      parseBody(body, 'entity_t2i', entityT2iSchema).entities.map((entity) => [
        entity.entity_id,
        { t2i_prompt: entity.t2i_prompt, owned_validation: entity.owned_validation },
      ]),
    ),

  verify: async (context) => verifyEntityT2i(context),
};

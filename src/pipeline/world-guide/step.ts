import { STEP_NEEDS, THE_ONE_ITEM } from '../../domain/steps';
import type { Json } from '../../domain/json';
import { readJsonAnswer } from '../answers/json-answer';
import type { StepDefinition } from '../definition';
import { assembleOne, resultOfOne, verifyOne } from '../single-item';
import { textRequest } from '../text-request';
import { worldGuideFromAnswer } from './from-answer';
import { ANSWER_SCHEMA, INSTRUCTIONS, PROMPT_VERSION, worldGuideAnswer, worldGuideInput } from './prompt';
import { worldGuideSchema } from './schema';

/** Setting, tone, characters, places and props, from the whole screenplay (spec 00, "The pipeline"). */
export const worldGuideStep: StepDefinition = {
  id: 'world_guide',
  needs: STEP_NEEDS.world_guide,
  kind: 'text',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: [],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: false,

  applies: () => true,

  calls: (inputs) => [
    {
      items: [THE_ONE_ITEM],
      request: textRequest(inputs, {
        task: 'world_guide',
        promptVersion: PROMPT_VERSION,
        instructions: INSTRUCTIONS,
        input: worldGuideInput(inputs),
        schema: ANSWER_SCHEMA,
      }),
      read: async (answer) => {
        const parsed = readJsonAnswer(answer, worldGuideAnswer);
        if (!parsed.ok) return parsed;
        return { ok: true, results: { [THE_ONE_ITEM]: worldGuideFromAnswer(parsed.value, inputs.screenplay) } };
      },
    },
  ],

  assemble: (_inputs, items) => assembleOne(items, (result) => result as Record<string, Json>),

  results: (body) => resultOfOne(body, 'world_guide', worldGuideSchema),

  verify: async (context) => verifyOne(context, 'world_guide', worldGuideSchema, []),
};

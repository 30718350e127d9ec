import { STEP_NEEDS, THE_ONE_ITEM } from '../../domain/steps';
import { readJsonAnswer } from '../answers/json-answer';
import type { StepDefinition, StepInputs } from '../definition';
import type { Finding } from '../findings';
import { assembleOne, resultOfOne, verifyOne } from '../single-item';
import { textRequest } from '../text-request';
import { loadWorldGuide } from '../world-guide/schema';
import { shotSelectionFromAnswer } from './from-answer';
import { ANSWER_SCHEMA, INSTRUCTIONS, PROMPT_VERSION, shotSelectionAnswer, shotSelectionInput } from './prompt';
import { shotsOf, shotSelectionSchema, type ShotSelection } from './schema';

/** The shots of every scene: framing, subject, and which are switched on (spec 00, "The pipeline"). */
export const shotSelectionStep: StepDefinition = {
  id: 'shot_selection',
  needs: STEP_NEEDS.shot_selection,
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
        task: 'shot_selection',
        promptVersion: PROMPT_VERSION,
        instructions: INSTRUCTIONS,
        input: shotSelectionInput(inputs),
        schema: ANSWER_SCHEMA,
      }),
      read: async (answer) => {
        const parsed = readJsonAnswer(answer, shotSelectionAnswer);
        return parsed.ok ? shotSelectionFromAnswer(parsed.value, inputs) : parsed;
      },
    },
  ],

  assemble: (_inputs, items) => assembleOne(items, (result) => result as { scenes: [] }),

  results: (body) => resultOfOne(body, 'shot_selection', shotSelectionSchema),

  verify: async (context) =>
    verifyOne(context, 'shot_selection', shotSelectionSchema, [() => loadWorldGuide(context.inputs)], (body) =>
      check(body, context.inputs),
    ),
};

/** Every scene of the screenplay is there, and no shot's id stands twice. */
function check(body: ShotSelection, inputs: StepInputs): Omit<Finding, 'rank'>[] {
  const selected = new Set(body.scenes.map((scene) => scene.scene_id));
  const absent = inputs.screenplay.scenes.filter((scene) => !selected.has(scene.id));
  if (absent.length > 0)
    return [
      {
        origin: 'artifact_missing',
        item: THE_ONE_ITEM,
        evidence: { what: `${absent.length} scenes of the screenplay are not in the selection`, where: absent[0]!.id },
      },
    ];
  const seen = new Set<string>();
  for (const { shot } of shotsOf(body)) {
    if (seen.has(shot.shot_id))
      return [
        {
          origin: 'contract_drift',
          item: THE_ONE_ITEM,
          evidence: { what: 'a shot id stands twice', where: shot.shot_id },
        },
      ];
    seen.add(shot.shot_id);
  }
  return [];
}

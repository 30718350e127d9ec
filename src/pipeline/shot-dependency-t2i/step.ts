import { STEP_NEEDS, THE_ONE_ITEM } from '../../domain/steps';
import { ifReadable } from '../checkpoint-body';
import type { StepDefinition, StepInputs } from '../definition';
import type { Finding } from '../findings';
import { loadEverySceneDetail, loadSceneDetail } from '../scene-detail/schema';
import { loadShotSelection, shotsOf } from '../shot-selection/schema';
import { assembleOne, resultOfOne, verifyOne } from '../single-item';
import { textRequest } from '../text-request';
import { ANSWER_SCHEMA, INSTRUCTIONS, labelledShots, PROMPT_VERSION, shotDependencyInput } from './prompt';
import { readShotDependency } from './read-answer';
import { shotDependencySchema, type ShotDependency } from './schema';

/** Which shot must look like which earlier shot (spec 00, "The pipeline"). */
export const shotDependencyStep: StepDefinition = {
  id: 'shot_dependency_t2i',
  needs: STEP_NEEDS.shot_dependency_t2i,
  kind: 'text',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: [],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: [],
  staleOnShotSelectionChange: false,

  applies: (inputs) => {
    const selection = ifReadable(() => loadShotSelection(inputs));
    return selection === undefined || shotsOf(selection).length > 0;
  },

  calls: (inputs) => {
    const shots = labelledShots(loadShotSelection(inputs), loadEverySceneDetail(inputs));
    return [
      {
        items: [THE_ONE_ITEM],
        request: textRequest(inputs, {
          task: 'shot_dependency_t2i',
          promptVersion: PROMPT_VERSION,
          instructions: INSTRUCTIONS,
          input: shotDependencyInput(shots),
          schema: ANSWER_SCHEMA,
        }),
        read: async (answer) => readShotDependency(answer, shots),
      },
    ];
  },

  assemble: (_inputs, items) => assembleOne(items, (result) => result as { dependencies: [] }),

  results: (body) => resultOfOne(body, 'shot_dependency_t2i', shotDependencySchema),

  verify: async (context) =>
    verifyOne(
      context,
      'shot_dependency_t2i',
      shotDependencySchema,
      [() => loadShotSelection(context.inputs), () => loadSceneDetail(context.inputs)],
      (body) => check(body, context.inputs),
    ),
};

/** Every shot of the selection has its entry, and looks at most like a shot that is there and earlier. */
function check(body: ShotDependency, inputs: StepInputs): Omit<Finding, 'rank'>[] {
  const order = new Map(shotsOf(loadShotSelection(inputs)).map(({ shot }, position) => [shot.shot_id, position]));
  const entries = new Set(body.dependencies.map((entry) => entry.shot_id));
  const absent = [...order.keys()].filter((shotId) => !entries.has(shotId));
  if (absent.length > 0)
    return [
      {
        origin: 'artifact_missing',
        item: THE_ONE_ITEM,
        evidence: { what: `${absent.length} shots have no entry`, where: absent[0]! },
      },
    ];
  for (const [position, { shot_id: shotId, looks_like: like }] of body.dependencies.entries()) {
    const own = order.get(shotId);
    if (own !== undefined && (like === null || (order.get(like) ?? Infinity) < own)) continue;
    return [
      {
        origin: 'contract_drift',
        item: THE_ONE_ITEM,
        evidence: {
          what: `shot ${shotId} looks like ${like ?? 'none'}, which is not an earlier shot`,
          where: `dependencies.${position}`,
        },
      },
    ];
  }
  return [];
}

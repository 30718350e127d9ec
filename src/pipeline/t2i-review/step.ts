import { EDITS, STEP_NEEDS, THE_ONE_ITEM } from '../../domain/steps';
import type { Json } from '../../domain/json';
import { hashOf } from '../../hash';
import { readJsonAnswer } from '../answers/json-answer';
import { ifReadable } from '../checkpoint-body';
import type { ProviderAnswer, ReadAnswer, StepDefinition, StepInputs } from '../definition';
import { loadEntityT2i, loadEveryEntity } from '../entity-t2i/schema';
import { loadEverySceneDetail, loadSceneDetail } from '../scene-detail/schema';
import { loadShotDependency } from '../shot-dependency-t2i/schema';
import { loadShotSelection } from '../shot-selection/schema';
import { assembleOne, resultOfOne, verifyOne } from '../single-item';
import { textRequest } from '../text-request';
import { loadWorldGuide } from '../world-guide/schema';
import { buildPositionMap, type PositionMap } from './positions';
import { ANSWER_SCHEMA, INSTRUCTIONS, PROMPT_VERSION, t2iReviewAnswer, t2iReviewInput } from './prompt';
import { t2iReviewSchema, type T2iReview } from './schema';

/** The editor: reads every prompt, and corrects some inside the checkpoints of `entity_t2i` and `scene_detail` (spec 20, "Editor steps"). */
export const t2iReviewStep: StepDefinition = {
  id: 't2i_review',
  needs: STEP_NEEDS.t2i_review,
  kind: 'text',
  schemaVersion: 1,
  promptVersion: PROMPT_VERSION,
  resumeConfigKeys: [],
  allowAutoRerunOnSchemaBump: false,
  modifiesCheckpoints: EDITS.t2i_review!,
  staleOnShotSelectionChange: false,

  applies: (inputs) => {
    const map = ifReadable(() => mapOf(inputs));
    return map === undefined || map.size > 0;
  },

  calls: (inputs) => {
    const sources = {
      guide: loadWorldGuide(inputs),
      selection: loadShotSelection(inputs),
      entities: loadEveryEntity(inputs),
      detail: loadEverySceneDetail(inputs),
    };
    loadShotDependency(inputs);
    const map = mapOf(inputs);
    return [
      {
        items: [THE_ONE_ITEM],
        request: textRequest(inputs, {
          task: 't2i_review',
          promptVersion: PROMPT_VERSION,
          instructions: INSTRUCTIONS,
          input: t2iReviewInput(sources),
          schema: ANSWER_SCHEMA,
        }),
        read: async (answer) => readReview(answer, map),
      },
    ];
  },

  // A kept answer is reused only for the very request that is asked now, and that holds every id and prompt: what it reviewed is
  // what is there, whatever the numbers were when it came. The save refuses what changes after this was read.
  assemble: (inputs, items) =>
    assembleOne(items, (result) => ({ ...readingOf(inputs), corrections: correctionsOf(result) })),

  results: (body) => {
    const whole = resultOfOne(body, 't2i_review', t2iReviewSchema);
    return new Map([...whole].map(([item, result]) => [item, { corrections: correctionsOf(result) }]));
  },

  verify: async (context) =>
    verifyOne(context, 't2i_review', t2iReviewSchema, [
      () => loadEntityT2i(context.inputs),
      () => loadSceneDetail(context.inputs),
    ]),
};

function mapOf(inputs: StepInputs): PositionMap {
  return buildPositionMap({ entities: loadEntityT2i(inputs).entities, scenes: loadSceneDetail(inputs).scenes });
}

/** What the review read: evidence of the checkpoint, and what the save holds the victims to. */
function readingOf(inputs: StepInputs): Pick<T2iReview, 'reviewed' | 'read'> {
  return {
    reviewed: {
      entity_t2i: inputs.checkpointVersion('entity_t2i'),
      scene_detail: inputs.checkpointVersion('scene_detail'),
    },
    read: {
      entity_t2i: hashOf(inputs.rawCheckpoint('entity_t2i')),
      scene_detail: hashOf(inputs.rawCheckpoint('scene_detail')),
    },
  };
}

/** An id that is not in the map makes the answer invalid: nothing of it is used (spec 20, "Editor steps", 2). */
function readReview(answer: ProviderAnswer, map: PositionMap): ReadAnswer {
  const parsed = readJsonAnswer(answer, t2iReviewAnswer);
  if (!parsed.ok) return parsed;
  const unknown = parsed.value.corrections.find((correction) => !map.has(correction.item_id));
  if (unknown)
    return {
      ok: false,
      reason: `The answer corrects ${JSON.stringify(unknown.item_id.slice(0, 40))}, which is no prompt that it was shown.`,
      unknownItem: true,
    };
  return { ok: true, results: { [THE_ONE_ITEM]: { corrections: parsed.value.corrections } } };
}

/** Of an item's result, also of one that was kept with what it had read. */
function correctionsOf(result: Json): T2iReview['corrections'] {
  return (result as unknown as Pick<T2iReview, 'corrections'>).corrections;
}

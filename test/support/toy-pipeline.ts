import { CLEAN, incomplete } from '../../src/domain/completion';
import { AppError } from '../../src/domain/errors';
import type { Json } from '../../src/domain/json';
import { STEP_IDS, STEP_NEEDS, type StepId } from '../../src/domain/steps';
import type { StepDefinition, StepInputs, VerifyContext } from '../../src/pipeline/definition';

/** What the toy pipeline does, to be changed by a test while it runs. */
export interface Toy {
  /** Items of each step; where nothing is said: `all`. */
  items: Partial<Record<StepId, readonly string[]>>;
  /** Steps that do not apply. */
  notApplicable: Set<StepId>;
  schemaVersion: Partial<Record<StepId, number>>;
  /** Words added to every request of a step: another request than before. */
  wording: Partial<Record<StepId, string>>;
  /** In place of the step's own verifier. */
  verify: Partial<Record<StepId, StepDefinition['verify']>>;
  verified: StepId[];
}

interface ToyBody {
  readonly shots: readonly { readonly shot_id: string; readonly t2i_prompt: string }[];
  readonly failed: readonly string[];
}

export function createToy(): Toy {
  return { items: {}, notApplicable: new Set(), schemaVersion: {}, wording: {}, verify: {}, verified: [] };
}

function itemsOf(toy: Toy, step: StepId): readonly string[] {
  return toy.items[step] ?? ['all'];
}

/** The prompt of an item in a needed step's checkpoint: what this item's request reads. */
function reads(inputs: StepInputs, need: StepId, item: string): string | null {
  const body = inputs.rawCheckpoint(need) as Partial<ToyBody> | undefined;
  return body?.shots?.find((shot) => shot.shot_id === item)?.t2i_prompt ?? null;
}

async function verify(toy: Toy, id: StepId, { body }: VerifyContext) {
  const { shots } = (body ?? {}) as Partial<ToyBody>;
  if (!Array.isArray(shots))
    throw new AppError('step.contract_violation', `The checkpoint of ${id} has a wrong shape.`);
  const missing = itemsOf(toy, id).filter((item) => !shots.some((shot) => shot.shot_id === item));
  return missing.length === 0
    ? CLEAN
    : incomplete('artifact_missing', missing, [{ what: 'item', where: missing[0]! }], shots.length > 0);
}

function toyStep(toy: Toy, id: StepId): StepDefinition {
  return {
    id,
    needs: STEP_NEEDS[id],
    kind: 'text',
    get schemaVersion() {
      return toy.schemaVersion[id] ?? 1;
    },
    promptVersion: '1',
    resumeConfigKeys: id === 'scene_detail' ? ['style'] : [],
    allowAutoRerunOnSchemaBump: id === 'entity_t2i',
    modifiesCheckpoints: [],
    staleOnShotSelectionChange: false,
    applies: () => !toy.notApplicable.has(id),
    calls: (inputs) =>
      itemsOf(toy, id).map((item) => ({
        items: [item],
        request: {
          kind: 'text',
          provider: 'toy',
          model: 'toy-1',
          task: id,
          promptVersion: '1',
          instructions: toy.wording[id] ?? '',
          input: { item, reads: STEP_NEEDS[id].map((need) => reads(inputs, need, item)) },
          schema: {},
        },
        read: () => Promise.reject(new Error('The toy buyer reads nothing.')),
      })),
    assemble: (_inputs, outcomes): Json => ({
      shots: [...outcomes].flatMap(([item, outcome]) =>
        outcome.status === 'done' ? [{ shot_id: item, t2i_prompt: outcome.result as string }] : [],
      ),
      failed: [...outcomes].flatMap(([item, outcome]) => (outcome.status === 'failed' ? [item] : [])),
    }),
    results: (body) => new Map((body as ToyBody).shots.map((shot) => [shot.shot_id, shot.t2i_prompt])),
    verify: (context) => {
      toy.verified.push(id);
      return (toy.verify[id] ?? ((inner) => verify(toy, id, inner)))(context);
    },
  };
}

/** Nine steps with the real ids and needs; an item of a step reads the item of the same name in what the step needs. */
export function toySteps(toy: Toy): Readonly<Record<StepId, StepDefinition>> {
  return Object.fromEntries(STEP_IDS.map((id) => [id, toyStep(toy, id)])) as Record<StepId, StepDefinition>;
}

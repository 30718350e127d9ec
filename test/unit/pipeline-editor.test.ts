import type { Json } from '../../src/domain/json';
import { AppError } from '../../src/domain/errors';
import { hashOf } from '../../src/hash';
import type { StepInputs } from '../../src/pipeline/definition';
import { STEPS } from '../../src/pipeline/manifest';
import { applyCorrections } from '../../src/pipeline/t2i-review/apply';
import { cardHashes, checkCardHashes } from '../../src/pipeline/t2i-review/card-hashes';
import { editVictims } from '../../src/pipeline/t2i-review/edit';
import { buildPositionMap, type Position } from '../../src/pipeline/t2i-review/positions';
import { refreshSentinels } from '../../src/pipeline/t2i-review/refresh-sentinels';
import type { VictimBodies } from '../../src/pipeline/t2i-review/victims';
import { type Loose } from '../support/loose';
import { runPipeline, textAnswer, type PipelineRun } from '../support/pipeline-runner';
import { LIGHTHOUSE } from '../support/screenplays';

let before: PipelineRun;
let bodies: VictimBodies;
beforeAll(async () => {
  before = await runPipeline(LIGHTHOUSE, { until: 'shot_dependency_t2i' });
  bodies = { entity_t2i: before.bodies.get('entity_t2i'), scene_detail: before.bodies.get('scene_detail') };
});

const correction = (item_id: string, t2i_prompt: string): { item_id: string; t2i_prompt: string; reason: string } => ({
  item_id,
  t2i_prompt,
  reason: 'test',
});
const variation = (of: VictimBodies, scene: number, at: number): Loose =>
  ((of.scene_detail as Loose)['scenes'] as Loose[])[scene]!['t2i_variations'][at] as Loose;
const entity = (of: VictimBodies, at: number): Loose => ((of.entity_t2i as Loose)['entities'] as Loose[])[at]!;

function errorOf(act: () => unknown): { code: string; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Paths whose values differ. */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (Object.is(a, b)) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [path];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => differences((a as Loose)[key], (b as Loose)[key], `${path}/${key}`));
}

describe('editVictims', () => {
  it('changes exactly the prompt, its hash and the note of who did it, and no other byte of either body', () => {
    const edit = editVictims(bodies, [
      correction('S1_L1_V2', 'a better prompt'),
      correction('E_L0', 'a better entity'),
    ]);
    expect(edit.changed).toEqual([
      { step: 'scene_detail', scene: 1, variation: 2 },
      { step: 'entity_t2i', entity: 0 },
    ]);
    expect(edit.changedSteps).toEqual(['entity_t2i', 'scene_detail']);
    const sentinel = ['t2i_prompt', 'owned_validation/t2i_prompt_hash', 'owned_validation/_mutation_origin'];
    expect(differences(bodies, edit.bodies)).toEqual([
      ...sentinel.map((key) => `/entity_t2i/entities/0/${key}`),
      ...sentinel.map((key) => `/scene_detail/scenes/1/t2i_variations/2/${key}`),
    ]);
    expect(variation(edit.bodies, 1, 2)['owned_validation']).toMatchObject({
      t2i_prompt_hash: hashOf('a better prompt'),
      _mutation_origin: 't2i_review',
    });
  });

  it('leaves both victims clean to their own verify', async () => {
    const edit = editVictims(bodies, [
      correction('S1_L1_V2', 'a better prompt'),
      correction('E_L0', 'a better entity'),
    ]);
    const inputs = {
      ...before.inputs,
      rawCheckpoint: (step: string) => edit.bodies[step as keyof VictimBodies] ?? before.bodies.get(step as never),
    };
    for (const step of ['entity_t2i', 'scene_detail'] as const)
      expect(await STEPS[step].verify({ inputs, body: edit.bodies[step], artifacts: before.artifacts })).toMatchObject({
        origin: 'clean',
      });
  });

  it('gives what is to be kept of the changed items, so that a rerun of others does not undo the edit', () => {
    const edit = editVictims(bodies, [correction('S1_L1_V2', 'a better prompt')]);
    const { shot_id: shotId, owned_validation: sentinel } = variation(edit.bodies, 1, 2);
    expect(edit.items).toEqual([
      { stepId: 'scene_detail', itemId: shotId, result: { t2i_prompt: 'a better prompt', owned_validation: sentinel } },
    ]);
    const kept = new Map(before.items.get('scene_detail'));
    kept.set(shotId as string, { status: 'done', result: edit.items[0]!.result, requestHash: 'x' });
    expect(STEPS.scene_detail.assemble(before.inputs, kept)).toEqual(edit.bodies.scene_detail);
  });

  it('gives the very same bodies for no corrections, and for corrections that say what is there', () => {
    expect(editVictims(bodies, [])).toEqual({ bodies, changed: [], changedSteps: [], items: [] });
    expect(editVictims(bodies, []).bodies.scene_detail).toBe(bodies.scene_detail);
    const same = editVictims(bodies, [correction('S1_L1_V2', variation(bodies, 1, 2)['t2i_prompt'] as string)]);
    expect(same.bodies).toBe(bodies);
    const thereAndBack = editVictims(bodies, [
      correction('E_L0', 'x'),
      correction('E_L0', entity(bodies, 0)['t2i_prompt'] as string),
    ]);
    expect(thereAndBack).toMatchObject({ changed: [], changedSteps: [] });
    expect(thereAndBack.bodies).toBe(bodies);
  });

  it('applied twice gives the same bytes', () => {
    const corrections = [correction('S0_L0_V0', 'p'), correction('E_L1', 'q')];
    const once = editVictims(bodies, corrections);
    const twice = editVictims(once.bodies, corrections);
    expect(JSON.stringify(twice.bodies)).toBe(JSON.stringify(once.bodies));
    expect(twice.changed).toEqual([]);
  });

  it('applies corrections of one id in order: the last one stands, and the position is named once', () => {
    const edit = editVictims(bodies, [correction('E_L0', 'first'), correction('E_L0', 'second')]);
    expect(entity(edit.bodies, 0)['t2i_prompt']).toBe('second');
    expect(edit.changed).toEqual([{ step: 'entity_t2i', entity: 0 }]);
  });

  it('takes the note of a victim that was set aside for a body without prompts', () => {
    const aside: VictimBodies = {
      entity_t2i: { not_applicable: true, reason: 'none' },
      scene_detail: bodies.scene_detail,
    };
    expect(editVictims(aside, [correction('S0_L0_V0', 'p')]).changedSteps).toEqual(['scene_detail']);
    expect(errorOf(() => editVictims(aside, [correction('E_L0', 'p')])).code).toBe('t2i_review.unknown_item_id');
  });

  it('refuses an id that the map does not have, and changes nothing', () => {
    const snapshot = JSON.stringify(bodies);
    for (const id of ['S1_L2_V0', 'S9_L9_V9', 'E_L99', 'S1_L1_V99'])
      expect(errorOf(() => editVictims(bodies, [correction('E_L0', 'x'), correction(id, 'y')])).code).toBe(
        't2i_review.unknown_item_id',
      );
    expect(JSON.stringify(bodies)).toBe(snapshot);
  });
});

describe('ids and positions', () => {
  it('tells entries with the same scene_index apart by their position', () => {
    const map = buildPositionMap({
      entities: [],
      scenes: [
        { scene_index: 3, t2i_variations: [0, 0] },
        { scene_index: 3, t2i_variations: [0] },
      ],
    });
    expect([...map]).toEqual([
      ['S3_L0_V0', { step: 'scene_detail', scene: 0, variation: 0 }],
      ['S3_L0_V1', { step: 'scene_detail', scene: 0, variation: 1 }],
      ['S3_L1_V0', { step: 'scene_detail', scene: 1, variation: 0 }],
    ]);
  });

  it('shows every id of the map, and no other, in the prompt', () => {
    const [call] = STEPS.t2i_review.calls(before.inputs);
    const shown = [
      ...JSON.stringify(call!.request.kind === 'text' && call!.request.input).matchAll(/"item_id":"([^"]+)"/g),
    ].map((match) => match[1]);
    const detail = bodies.scene_detail as Loose;
    expect(shown).toEqual([
      ...buildPositionMap({
        entities: (bodies.entity_t2i as Loose)['entities'] as Json[],
        scenes: detail['scenes'] as [],
      }).keys(),
    ]);
  });

  it('makes an answer with an unknown id invalid as a whole', async () => {
    const [call] = STEPS.t2i_review.calls(before.inputs);
    const answer = await call!.read(
      textAnswer({ corrections: [correction('E_L0', 'fine'), correction('S0_L5_V0', 'of nobody')] }),
    );
    expect(answer).toMatchObject({ ok: false, unknownItem: true, reason: expect.stringContaining('S0_L5_V0') });
  });
});

describe('refreshSentinels', () => {
  const at: Position = { step: 'scene_detail', scene: 1, variation: 2 };
  const broken = (breakIt: (entry: Loose) => void): VictimBodies => {
    const copy = structuredClone(bodies);
    breakIt(variation(copy, 1, 2));
    return copy;
  };

  it.each<[string, (entry: Loose) => void, string]>([
    ['no sentinel', (entry) => delete entry['owned_validation'], 't2i_review.owned_validation_missing'],
    ['a null sentinel', (entry) => void (entry['owned_validation'] = null), 't2i_review.owned_validation_missing'],
    ['a misshapen sentinel', (entry) => void (entry['owned_validation'].owned_hash = ''), 'step.contract_violation'],
  ])('ends with sentinel_refresh_failed for %s, with the inner code and the position', (_what, breakIt, inner) => {
    const { code, message } = errorOf(() => refreshSentinels(broken(breakIt), [at]));
    expect(code).toBe('t2i_review.sentinel_refresh_failed');
    expect(message).toContain(inner);
    expect(message).toContain('scenes[1].t2i_variations[2]');
  });

  it('ends so for a position that is not there', () => {
    expect(errorOf(() => refreshSentinels(bodies, [{ step: 'entity_t2i', entity: 99 }])).message).toContain(
      'entities[99]',
    );
  });

  it('does not sign a neighbour’s damage: only the given positions are touched', () => {
    const damaged = broken((entry) => void (entry['t2i_prompt'] = 'damaged from outside'));
    const edit = editVictims(damaged, [correction('S0_L0_V0', 'new')]);
    expect(variation(edit.bodies, 1, 2)).toEqual(variation(damaged, 1, 2));
  });
});

describe('card hashes', () => {
  it('cover every variation, and refuse a change at a corrected position, naming it', () => {
    const hashes = cardHashes(bodies);
    expect(hashes.size).toBe(
      ((bodies.scene_detail as Loose)['scenes'] as Loose[]).flatMap((scene) => scene['t2i_variations'] as Json[])
        .length,
    );
    const { bodies: edited, changed } = applyCorrections(
      bodies,
      [correction('S1_L1_V2', 'new')],
      buildPositionMap({ entities: [], scenes: (bodies.scene_detail as Loose)['scenes'] as [] }),
    );
    expect(() => checkCardHashes(hashes, edited, changed)).not.toThrow();
    const moved = structuredClone(edited);
    variation(moved, 1, 2)['render_prompt_card_hash'] = 'moved';
    expect(errorOf(() => checkCardHashes(hashes, moved, changed))).toMatchObject({
      code: 't2i_review.card_hash_unexpected_change',
      message: expect.stringContaining('scenes[1].t2i_variations[2]') as string,
    });
  });
});

describe('what the review records', () => {
  it('names the versions that are there, also where the answer was kept from before: its request is the same, or it is not reused', async () => {
    const [call] = STEPS.t2i_review.calls(before.inputs);
    const read = await call!.read(textAnswer({ corrections: [] }));
    if (!read.ok) throw new Error(read.reason);
    const items = new Map([['all', { status: 'done' as const, result: read.results['all']!, requestHash: 'x' }]]);
    const reviewOf = (inputs: StepInputs) => STEPS.t2i_review.assemble(inputs, items) as Loose;
    const first = reviewOf(before.inputs);
    expect(first).toMatchObject({ reviewed: { entity_t2i: 1, scene_detail: 1 } });
    const otherBytes = { ...(before.bodies.get('entity_t2i') as Loose), note: 'the same prompts' };
    const inputs: StepInputs = {
      ...before.inputs,
      checkpointVersion: () => 5,
      rawCheckpoint: (step) => (step === 'entity_t2i' ? otherBytes : before.bodies.get(step)),
    };
    expect(reviewOf(inputs)).toEqual({
      ...first,
      reviewed: { entity_t2i: 5, scene_detail: 5 },
      read: { ...(first['read'] as Loose), entity_t2i: hashOf(otherBytes) },
    });
    expect(STEPS.t2i_review.results(reviewOf(inputs)).get('all')).toEqual(read.results['all']);
  });
});

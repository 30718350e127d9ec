import { STEPS } from '../../src/pipeline/manifest';
import type { CompletionReport } from '../../src/domain/completion';
import type { StepId } from '../../src/domain/steps';
import { listIn, type Loose } from '../support/loose';
import { runPipeline, type PipelineRun } from '../support/pipeline-runner';
import { LIGHTHOUSE } from '../support/screenplays';

let run: PipelineRun;
beforeAll(async () => {
  run = await runPipeline(LIGHTHOUSE, { until: 'scene_detail' });
});

interface Broken {
  readonly body: Loose;
  readonly selection: Loose;
  readonly guide: Loose;
  readonly entities: Loose;
  config: () => Loose;
}

/** The real verifier on a copy that the test breaks. */
async function verify(breakIt: (copy: Broken) => void): Promise<CompletionReport> {
  const copyOf = (step: StepId): Loose => structuredClone(run.bodies.get(step)) as Loose;
  const copy: Broken = {
    body: copyOf('scene_detail'),
    selection: copyOf('shot_selection'),
    guide: copyOf('world_guide'),
    entities: copyOf('entity_t2i'),
    config: () => run.inputs.config,
  };
  breakIt(copy);
  const bodies: Partial<Record<StepId, unknown>> = {
    world_guide: copy.guide,
    shot_selection: copy.selection,
    entity_t2i: copy.entities,
  };
  const inputs = {
    ...run.inputs,
    get config(): never {
      return copy.config() as never;
    },
    rawCheckpoint: (step: StepId) => bodies[step],
  };
  return STEPS.scene_detail.verify({ inputs, body: copy.body, artifacts: run.artifacts });
}

const variation = (copy: Broken, scene = 1, at = 1): Loose =>
  (copy.body['scenes'] as Loose[])[scene]!['t2i_variations'][at] as Loose;
const shot = (copy: Broken, scene = 1, at = 1): Loose =>
  (copy.selection['scenes'] as Loose[])[scene]!['shots'][at] as Loose;

const crash = (copy: Broken): void => {
  copy.config = () => {
    throw new TypeError('a bug of the recomputation');
  };
};

describe('verify of scene_detail, row by row of the table', () => {
  it('is clean where all is there and right', async () => {
    expect(await verify(() => undefined)).toEqual({
      isComplete: true,
      missing: [],
      severity: 'clean',
      metadata: { evidence: [] },
      origin: 'clean',
    });
  });

  it.each<[string, (copy: Broken) => void]>([
    ['a needed selection without scenes', (copy) => delete copy.selection['scenes']],
    ['a needed world guide of a wrong shape', (copy) => void (copy.guide['characters'] = 'none')],
    ['needed entities without a sentinel', (copy) => delete copy.entities['entities'][0].owned_validation],
    ['an own body without scenes', (copy) => void (copy.body['scenes'] = null)],
  ])('calls %s contract drift with nothing usable', async (_what, breakIt) => {
    expect(await verify(breakIt)).toMatchObject({ origin: 'contract_drift', severity: 'missing', isComplete: false });
  });

  it('calls an absent variation a missing artifact, names it, and keeps the others usable', async () => {
    let id = '';
    const report = await verify((copy) => {
      id = variation(copy)['shot_id'] as string;
      listIn(listIn(copy.body, 'scenes')[1]!, 't2i_variations').splice(1, 1);
    });
    expect(report).toMatchObject({ origin: 'artifact_missing', severity: 'partial', missing: [id] });
  });

  it('calls an absent scene a missing artifact, with severity missing where no scene is left', async () => {
    expect(await verify((copy) => void (copy.body['scenes'] as Loose[]).splice(0, 1))).toMatchObject({
      origin: 'artifact_missing',
      severity: 'partial',
    });
    expect(await verify((copy) => void (copy.body['scenes'] = []))).toMatchObject({
      origin: 'artifact_missing',
      severity: 'missing',
    });
  });

  it('calls a failed item a missing artifact, with its code', async () => {
    const report = await verify(
      (copy) =>
        void (copy.body['failed'] = [{ item_id: variation(copy)['shot_id'], code: 'provider.refused', message: 'no' }]),
    );
    expect(report.origin).toBe('artifact_missing');
    expect(report.metadata.evidence[0]!.what).toContain('provider.refused');
  });

  it.each<[string, (copy: Broken) => void]>([
    ['a shot whose character the world guide lost', (copy) => void (shot(copy)['characters'] = ['NOBODY KNOWN'])],
    [
      'a scene at a place that the world guide lost',
      (copy) => void ((copy.selection['scenes'] as Loose[])[1]!['place'] = 'ATLANTIS'),
    ],
    [
      'a variation of a shot that the selection does not have',
      (copy) =>
        listIn(listIn(copy.body, 'scenes')[1]!, 't2i_variations').push({ ...variation(copy), shot_id: 's-unknown' }),
    ],
  ])('calls a card that cannot be recomputed contract drift: %s', async (_what, breakIt) => {
    expect(await verify(breakIt)).toMatchObject({ origin: 'contract_drift', severity: 'partial' });
  });

  it('calls a bug in recomputing a card a crash of the verifier, with its stack', async () => {
    const report = await verify(crash);
    expect(report).toMatchObject({ origin: 'verify_crashed', isComplete: false });
    expect(report.metadata.evidence[0]!.found).toContain('TypeError: a bug of the recomputation');
  });

  it.each(['validator', 'owned_hash', 'camera_direction_hash', 't2i_prompt_hash'])(
    'calls a sentinel whose %s is absent, empty or no text contract drift',
    async (key) => {
      for (const value of [undefined, '', 7, null])
        expect(await verify((copy) => void (variation(copy)['owned_validation'][key] = value))).toMatchObject({
          origin: 'contract_drift',
          severity: 'partial',
        });
    },
  );

  it.each(['owned_validation', 'render_prompt_card'])('calls an absent %s contract drift', async (key) => {
    expect(await verify((copy) => delete variation(copy)[key])).toMatchObject({ origin: 'contract_drift' });
    expect(await verify((copy) => void (variation(copy)[key] = null))).toMatchObject({ origin: 'contract_drift' });
  });

  it('calls a prompt that is not the hashed one invariant drift, and gives both hashes', async () => {
    const report = await verify((copy) => void (variation(copy)['t2i_prompt'] += ' '));
    expect(report).toMatchObject({ origin: 'invariant_drift', severity: 'partial' });
    expect(report.metadata.evidence[0]).toMatchObject({
      where: 'scenes.1.t2i_variations.1.owned_validation.t2i_prompt_hash',
    });
    expect(report.metadata.evidence[0]!.expected).not.toBe(report.metadata.evidence[0]!.found);
  });

  it('calls a card hash that is not the recomputed one invariant drift, also where the selection moved under it', async () => {
    expect(await verify((copy) => void (variation(copy)['render_prompt_card_hash'] = 'x'))).toMatchObject({
      origin: 'invariant_drift',
    });
    expect(await verify((copy) => void (shot(copy)['action'] = 'Something else happens.'))).toMatchObject({
      origin: 'invariant_drift',
    });
  });

  it('judges only those two hashes: the other two may say anything, and who edited the prompt is part of none', async () => {
    const report = await verify((copy) => {
      Object.assign(variation(copy)['owned_validation'], {
        owned_hash: 'other',
        camera_direction_hash: 'other',
        _mutation_origin: 't2i_review',
      });
    });
    expect(report.origin).toBe('clean');
  });
});

describe('two findings at once: the earlier row names the origin', () => {
  const needed = (copy: Broken): void => void delete copy.selection['scenes'];
  const absent = (copy: Broken): void => void (copy.body['scenes'] as Loose[]).splice(0, 1);
  const cardContract = (copy: Broken): void => void (shot(copy)['characters'] = ['NOBODY KNOWN']);
  const sentinel = (copy: Broken): void => void delete variation(copy, 2, 0)['owned_validation'];
  const card = (copy: Broken): void => void delete variation(copy, 2, 1)['render_prompt_card'];
  const promptHash = (copy: Broken): void => void (variation(copy, 3, 0)['t2i_prompt'] = 'other');
  const cardHash = (copy: Broken): void => void (variation(copy, 3, 1)['render_prompt_card_hash'] = 'other');

  it.each<[string, (copy: Broken) => void, (copy: Broken) => void, string]>([
    ['needed over absent', needed, absent, 'contract_drift'],
    ['absent over a broken card', absent, cardContract, 'artifact_missing'],
    ['absent over a crash', absent, crash, 'artifact_missing'],
    ['a broken card over a crash', cardContract, crash, 'contract_drift'],
    ['a crash over a sentinel', crash, sentinel, 'verify_crashed'],
    ['a crash over a prompt hash', crash, promptHash, 'verify_crashed'],
    ['a broken card over a prompt hash', cardContract, promptHash, 'contract_drift'],
    ['a sentinel over a prompt hash', sentinel, promptHash, 'contract_drift'],
    ['an absent card over a card hash', card, cardHash, 'contract_drift'],
    ['absent over a prompt hash', absent, promptHash, 'artifact_missing'],
  ])('%s', async (_what, first, second, origin) => {
    const both = await verify((copy) => {
      second(copy);
      first(copy);
    });
    expect(both.origin).toBe(origin);
    expect(both.metadata.evidence.length).toBeGreaterThan(first === needed ? 0 : 1);
  });

  it('a prompt hash comes before a card hash in the report', async () => {
    const report = await verify((copy) => {
      cardHash(copy);
      promptHash(copy);
    });
    expect(report.metadata.evidence.map((one) => one.where?.split('.').at(-1))).toEqual([
      't2i_prompt_hash',
      'render_prompt_card_hash',
    ]);
  });
});

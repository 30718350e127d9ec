import type { CompletionReport } from '../../src/domain/completion';
import type { Json } from '../../src/domain/json';
import { STEP_IDS, type StepId } from '../../src/domain/steps';
import type { ArtifactFinding, StepInputs } from '../../src/pipeline/definition';
import { STEPS } from '../../src/pipeline/manifest';
import { type Loose } from '../support/loose';
import { runPipeline, type PipelineRun } from '../support/pipeline-runner';
import { LIGHTHOUSE } from '../support/screenplays';

let run: PipelineRun;
beforeAll(async () => {
  run = await runPipeline(LIGHTHOUSE);
});

const copyOf = (step: StepId): Loose => structuredClone(run.bodies.get(step)) as Loose;

async function verify(
  step: StepId,
  body: unknown,
  image?: (artifact: string) => ArtifactFinding,
  inputs: Partial<StepInputs> = {},
): Promise<CompletionReport> {
  const artifacts = image ? { image: async (artifact: string) => image(artifact) } : run.artifacts;
  return STEPS[step].verify({ inputs: { ...run.inputs, ...inputs }, body, artifacts });
}

describe('a damaged checkpoint of any step', () => {
  it.each(STEP_IDS)(
    '%s: empty, null, a list, a text or a half shape is contract drift with nothing usable, and never a TypeError',
    async (step) => {
      const [list] = Object.keys(copyOf(step));
      for (const body of [undefined, null, [], '', {}, 7, { [list!]: null }])
        expect(await verify(step, body)).toMatchObject({
          origin: 'contract_drift',
          severity: 'missing',
          isComplete: false,
        });
    },
  );

  it.each<[StepId, readonly StepId[]]>([
    ['shot_selection', ['world_guide']],
    ['entity_t2i', ['world_guide']],
    ['scene_detail', ['world_guide', 'shot_selection', 'entity_t2i']],
    ['shot_dependency_t2i', ['shot_selection', 'scene_detail']],
    ['t2i_review', ['entity_t2i', 'scene_detail']],
    ['floor_plan_render', ['world_guide', 'shot_selection']],
    ['background_render', ['world_guide', 'shot_selection', 'floor_plan_render']],
    ['scene_image_pipeline', ['shot_selection', 'scene_detail', 'background_render']],
  ])('%s: damage of what it reads is contract drift that names the step it lies in', async (step, reads) => {
    for (const read of reads) {
      const rawCheckpoint = (id: StepId): unknown => (id === read ? { wrong: true } : run.bodies.get(id));
      const report = await verify(step, run.bodies.get(step), undefined, { rawCheckpoint });
      expect(report).toMatchObject({
        origin: 'contract_drift',
        severity: 'missing',
        missing: [expect.stringContaining(`checkpoint of ${read} `)],
      });
    }
  });
});

describe('steps with the one item', () => {
  it.each<StepId>(['world_guide', 'shot_selection', 'shot_dependency_t2i', 't2i_review'])(
    '%s: a failed item is a missing artifact with its code; an item that never came, too',
    async (step) => {
      const failed = STEPS[step].assemble(
        run.inputs,
        new Map([['all', { status: 'failed', code: 'provider.refused', message: 'no' }]]),
      );
      expect(await verify(step, failed)).toMatchObject({
        origin: 'artifact_missing',
        severity: 'missing',
        missing: ['all'],
      });
      expect(await verify(step, STEPS[step].assemble(run.inputs, new Map()))).toMatchObject({
        origin: 'artifact_missing',
        missing: ['all'],
      });
    },
  );

  it('shot_selection: a scene of the screenplay that it lacks is a missing artifact; a shot id that stands twice is contract drift', async () => {
    const without = copyOf('shot_selection');
    (without['scenes'] as Json[]).splice(2, 1);
    expect(await verify('shot_selection', without)).toMatchObject({ origin: 'artifact_missing', severity: 'partial' });
    const twice = copyOf('shot_selection');
    twice['scenes'][1].shots[0].shot_id = twice['scenes'][0].shots[0].shot_id;
    expect(await verify('shot_selection', twice)).toMatchObject({ origin: 'contract_drift' });
  });

  it('shot_dependency_t2i: a shot without an entry is a missing artifact; a later shot to look like is contract drift', async () => {
    const without = copyOf('shot_dependency_t2i');
    (without['dependencies'] as Json[]).pop();
    expect(await verify('shot_dependency_t2i', without)).toMatchObject({ origin: 'artifact_missing' });
    const later = copyOf('shot_dependency_t2i');
    later['dependencies'][0].looks_like = later['dependencies'][1].shot_id;
    expect(await verify('shot_dependency_t2i', later)).toMatchObject({ origin: 'contract_drift' });
  });
});

describe('entity_t2i, in its order', () => {
  const entity = (body: Loose, at = 0): Loose => (body['entities'] as Loose[])[at]!;

  it('an absent or failed entity is a missing artifact, named', async () => {
    const body = copyOf('entity_t2i');
    const [gone] = (body['entities'] as Loose[]).splice(0, 1);
    expect(await verify('entity_t2i', body)).toMatchObject({
      origin: 'artifact_missing',
      severity: 'partial',
      missing: [gone!['entity_id']],
    });
    const failed = copyOf('entity_t2i');
    failed['failed'] = [{ item_id: entity(failed)['entity_id'], code: 'provider.refused', message: 'no' }];
    expect(await verify('entity_t2i', failed)).toMatchObject({ origin: 'artifact_missing' });
  });

  it.each<[string, (body: Loose) => void]>([
    ['no sentinel', (body) => delete entity(body)['owned_validation']],
    ['no validator', (body) => delete entity(body)['owned_validation'].validator],
    ['an empty hash', (body) => void (entity(body)['owned_validation'].t2i_prompt_hash = '')],
  ])('%s is contract drift', async (_what, breakIt) => {
    const body = copyOf('entity_t2i');
    breakIt(body);
    expect(await verify('entity_t2i', body)).toMatchObject({ origin: 'contract_drift', severity: 'partial' });
  });

  it('another prompt than the hashed one is invariant drift, unless an earlier finding names the origin', async () => {
    const body = copyOf('entity_t2i');
    entity(body)['t2i_prompt'] += '!';
    expect(await verify('entity_t2i', body)).toMatchObject({ origin: 'invariant_drift' });
    delete entity(body, 1)['owned_validation'];
    expect(await verify('entity_t2i', body)).toMatchObject({ origin: 'contract_drift' });
    (body['entities'] as Loose[]).splice(2, 1);
    expect(await verify('entity_t2i', body)).toMatchObject({ origin: 'artifact_missing' });
  });
});

describe.each<[StepId, string]>([
  ['floor_plan_render', 'plans'],
  ['background_render', 'backgrounds'],
  ['scene_image_pipeline', 'images'],
])('%s', (step, list) => {
  const items = (): string[] => run.calls.get(step)!.flatMap((call) => call.items);
  const first = (): Loose => (copyOf(step)[list] as Loose[])[0]!;

  it.each<[string, ArtifactFinding]>([
    ['a file that is gone', { state: 'missing' }],
    ['a file that is no image any more', { state: 'damaged', why: 'it is empty' }],
    ['a picture of another size', { state: 'ok', width: 512, height: 512 }],
  ])('makes only the item of %s again, and names the file', async (_what, finding) => {
    const { artifact } = first();
    const report = await verify(step, run.bodies.get(step), (asked) =>
      asked === artifact ? finding : { state: 'ok', width: 1024, height: 576 },
    );
    expect(report).toMatchObject({
      origin: 'artifact_missing',
      severity: items().length > 1 ? 'partial' : 'missing',
      missing: [items()[0]],
    });
    expect(report.metadata.evidence[0]!.where).toBe(artifact);
  });

  it('says missing, and not partial, where no file is left', async () => {
    expect(await verify(step, run.bodies.get(step), () => ({ state: 'missing' }))).toMatchObject({
      origin: 'artifact_missing',
      severity: 'missing',
      missing: items(),
    });
  });

  it('names an absent and a failed item', async () => {
    const body = copyOf(step);
    (body[list] as Json[]).splice(0, 1);
    expect(await verify(step, body)).toMatchObject({ origin: 'artifact_missing', missing: [items()[0]] });
    expect(
      await verify(step, { ...body, failed: [{ item_id: items()[0]!, code: 'provider.refused', message: 'no' }] }),
    ).toMatchObject({ missing: [items()[0]] });
  });

  it('lets a bug of the probe through, so that it is called a crash and not a missing file', async () => {
    const probe = (): never => {
      throw new TypeError('a bug');
    };
    await expect(verify(step, run.bodies.get(step), probe)).rejects.toThrow(TypeError);
  });
});

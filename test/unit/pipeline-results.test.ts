import { AppError } from '../../src/domain/errors';
import { STEP_IDS } from '../../src/domain/steps';
import { STEPS } from '../../src/pipeline/manifest';
import { runPipeline } from '../support/pipeline-runner';
import { LIGHTHOUSE } from '../support/screenplays';

describe('what is kept of the items that a body holds', () => {
  it.each(STEP_IDS)('%s: assembling its results again gives the same body, edited prompts included', async (id) => {
    const run = await runPipeline(LIGHTHOUSE);
    const step = STEPS[id];
    const body = run.bodies.get(id)!;
    const outcomes = new Map(
      [...step.results(body)].map(([item, result]) => [item, { status: 'done', result, requestHash: 'h' } as const]),
    );
    expect([...outcomes.keys()].sort()).toEqual(
      step
        .calls(run.inputs)
        .flatMap((call) => [...call.items])
        .sort(),
    );
    // The review reads what it has changed since, so only its own corrections are compared.
    const again = step.assemble(run.inputs, outcomes);
    if (id === 't2i_review')
      expect((again as { corrections: unknown }).corrections).toEqual((body as { corrections: unknown }).corrections);
    else expect(again).toEqual(body);
  });

  it.each(STEP_IDS)('%s: a body of another shape is refused, and never read as "no items"', (id) => {
    for (const body of [null, [], 'text', { scenes: null }, { entities: 7 }]) {
      const read = () => STEPS[id].results(body);
      expect(read).toThrow(AppError);
      expect(read).toThrow(/wrong shape/);
    }
  });

  it('leaves a failed item out', () => {
    expect(
      STEPS.world_guide.results({ failed: [{ item_id: 'all', code: 'provider.refused', message: 'no' }] }).size,
    ).toBe(0);
  });
});

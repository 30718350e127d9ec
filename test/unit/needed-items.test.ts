import { planCalls } from '../../src/execution/needed-items';
import { hashOf } from '../../src/hash';
import type { ArtifactFinding, StepCall, StepDefinition } from '../../src/pipeline/definition';
import type { KeptItem } from '../../src/store/items';
import { imageCall } from '../support/buying';
import { createToy, toySteps } from '../support/toy-pipeline';

const STEP: StepDefinition = toySteps(createToy()).scene_image_pipeline;
const EDITOR: StepDefinition = { ...STEP, modifiesCheckpoints: ['scene_detail'] };
const call: StepCall = { ...STEP.calls({ rawCheckpoint: () => undefined } as never)[0]!, items: ['shot'] };
const HASH = hashOf(call.request);

const keptAs = (change: Partial<KeptItem> = {}): KeptItem => ({
  itemId: 'shot',
  status: 'done',
  requestHash: HASH,
  schemaVersion: 1,
  generation: 0,
  result: 'a text',
  errorCode: null,
  errorMessage: null,
  ...change,
});
const given = { status: 'failed', errorCode: 'purchase.given_up', result: null } as const;
const picture = { result: { artifact: 'sha' } };

/** The same step, had it asked for a picture. */
const asked = { ...call, request: { ...imageCall('shot').request, width: 64, height: 36 } } as StepCall;
const drawn = (width: number, height: number): Partial<KeptItem> => ({
  requestHash: hashOf(asked.request),
  result: { artifact: 'sha', width, height },
});
const found = (width: number, height: number): ArtifactFinding => ({ state: 'ok', width, height });

interface Options {
  readonly asks?: StepCall;
  readonly mark?: string;
  readonly step?: StepDefinition;
  readonly image?: ArtifactFinding;
}
const plan = async (
  kept: KeptItem | null,
  { mark, step = STEP, asks = call, image = { state: 'ok', width: 1, height: 1 } }: Options = {},
) => {
  const [only] = await planCalls(
    step,
    [asks],
    new Map(kept ? [['shot', kept]] : []),
    new Map(mark ? [[mark, 'force']] : []),
    { image: () => Promise.resolve(image) },
  );
  return { needed: only!.needed, unmarked: only!.unmarked, givenUp: only!.givenUp };
};
const NEEDED = { needed: ['shot'], unmarked: [], givenUp: [] };
const KEPT = { needed: [], unmarked: [], givenUp: [] };

describe('what a run has to ask', () => {
  it.each([
    ['nothing is kept', null, {}, NEEDED],
    ['a result is kept', keptAs(), {}, KEPT],
    [
      'another request than now, without a mark: a new model or prompt by itself asks nothing again',
      keptAs({ requestHash: 'other' }),
      {},
      KEPT,
    ],
    ['a failure is kept', keptAs({ status: 'failed', errorCode: 'provider.refused' }), {}, NEEDED],
    ['another schema version', keptAs({ schemaVersion: 2 }), {}, NEEDED],
    ['a mark, and the request is unchanged', keptAs(), { mark: 'shot' }, { ...KEPT, unmarked: ['shot'] }],
    ['a mark, and the request has changed', keptAs({ requestHash: 'other' }), { mark: 'shot' }, NEEDED],
    ['a mark on all, and the request has changed', keptAs({ requestHash: 'other' }), { mark: '*' }, NEEDED],
    ['a mark on another item', keptAs({ requestHash: 'other' }), { mark: 'another' }, KEPT],
    ['an image that is whole', keptAs(picture), {}, KEPT],
    ['an image that is missing', keptAs(picture), { image: { state: 'missing' } }, NEEDED],
    [
      'an image that is damaged, and marked',
      keptAs(picture),
      { image: { state: 'damaged', why: 'empty' }, mark: 'shot' },
      NEEDED,
    ],
    ['a result that names an image by no name', keptAs({ result: { artifact: 7 } }), {}, NEEDED],
    ['a picture of the size asked for', keptAs(drawn(64, 36)), { asks: asked, image: found(64, 36) }, KEPT],
    ['a file of another size', keptAs(drawn(64, 36)), { asks: asked, image: found(64, 64) }, NEEDED],
    ['a result that says another size', keptAs(drawn(36, 64)), { asks: asked, image: found(64, 36) }, NEEDED],
    ['given up by the operator', keptAs(given), {}, { ...KEPT, givenUp: ['shot'] }],
    ['given up, and marked since', keptAs(given), { mark: 'shot' }, NEEDED],
    ['a review of the very prompts that are there', keptAs(), { step: EDITOR }, KEPT],
    ['a review of other prompts', keptAs({ requestHash: 'other' }), { step: EDITOR }, NEEDED],
  ] satisfies [string, KeptItem | null, Options, object][])('%s', async (_what, kept, options, expected) => {
    expect(await plan(kept, options)).toEqual(expected);
  });
});

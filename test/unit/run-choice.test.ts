import type { Door } from '../../src/http/door';
import { startRoutes } from '../../src/http/routes/start';
import type { Asked } from '../../src/http/routes/route';
import { runChoiceOf } from '../../src/operations/choice';
import type { Choice, StartRequest } from '../../src/operations/contract';

const EPISODE = { projectId: 'p1', episodeId: 'e1' };
const SHOTS = 'scene_image_pipeline';
const choose = (choice: Omit<Choice, keyof typeof EPISODE>) => runChoiceOf({ ...EPISODE, ...choice });

describe('a choice', () => {
  it('that forces a step as a whole and by items is refused: it would force far more than the items', () => {
    expect(() => choose({ force: [SHOTS], items: { [SHOTS]: ['shot-1'] } })).toThrow(
      expect.objectContaining({
        code: 'input.invalid',
        message: `${SHOTS} is forced as a whole and by items: give one of them.`,
      }),
    );
  });

  it('may force one step as a whole and another by items', () => {
    expect(choose({ force: ['entity_t2i'], items: { [SHOTS]: ['shot-1', 'shot-1'] } })).toMatchObject({
      force: ['entity_t2i'],
      items: { [SHOTS]: ['shot-1'] },
    });
  });
});

/** What `POST /steps/{step}/run` with this body starts. */
async function startedBy(body: unknown): Promise<StartRequest> {
  const started: StartRequest[] = [];
  const startRun = (request: StartRequest) => {
    started.push(request);
    return Promise.resolve({ outcome: 'started', workflowId: 'w', runId: 'r', url: null, decisions: [] });
  };
  const route = startRoutes({ operations: { startRun } } as unknown as Door).find(
    (one) => one.operationId === 'runStep',
  )!;
  const params = { project: 'p1', episode: 'e1', step: SHOTS };
  const asked = { params, body: route.body!.parse(body), by: 'test', requestId: undefined };
  await route.handle(asked as unknown as Asked<never, never, never>);
  return started[0]!;
}

describe('a start of one step over HTTP', () => {
  it.each([
    ['nothing', undefined, { force: [], items: {} }],
    ['force', { force: true }, { force: [SHOTS], items: {} }],
    ['items', { items: ['shot-1'] }, { force: [], items: { [SHOTS]: ['shot-1'] } }],
    ['force and items', { force: true, items: ['shot-1'] }, { force: [], items: { [SHOTS]: ['shot-1'] } }],
  ])('with %s forces just that', async (_what, body, forced) => {
    expect(runChoiceOf(await startedBy(body))).toEqual({ chosen: [SHOTS], ...forced });
  });
});

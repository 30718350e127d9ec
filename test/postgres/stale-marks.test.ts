import type { StepId } from '../../src/domain/steps';
import type { BuyOutcome } from '../../src/purchases/outcome';
import { clearMarksRead, datedMarks, markStale, markToggled } from '../../src/store/stale-marks';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { createToy, type Toy } from '../support/toy-pipeline';
import { openTestWorker, type TestWorker } from '../support/test-worker';

const STEP: StepId = 'world_guide';

describe('items and their stale marks', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let toy: Toy;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    toy = createToy();
    toy.items[STEP] = ['a', 'b', 'c'];
    episode = await createTestEpisode(database.db);
    worker = openTestWorker(database.db, { toy });
    await worker.attempt(episode, STEP);
    worker.buyer.sold.length = 0;
  });

  const mark = (items?: string[]) =>
    database.db.transaction().execute((tx) => markStale(tx, episode.key(STEP), 'force', null, items));
  const again = async () => worker.attempt(episode, STEP, { workflowRunId: await episode.openRun() });
  const stale = () => episode.patch(STEP, { status: 'stale' });
  /** The worker ends in the middle: the other items are done, and no call of theirs is kept from leaving. */
  const stopOnceMarkedAre = (items: string[]) => async (): Promise<BuyOutcome> => {
    await eventually('the others are done', async () => (await episode.marks(STEP)).join() === items.join());
    return { outcome: 'stopped', stop: { why: 'handed_back', cause: 'shutdown' } };
  };

  it('that are marked, and whose request is unchanged, are reused, and lose their mark', async () => {
    await mark();
    await stale();
    expect(await again()).toMatchObject({ status: 'completed' });
    expect([worker.buyer.sold, await episode.marks(STEP), await episode.kept(STEP)]).toEqual([[], [], ['a', 'b', 'c']]);
  });

  it('that are marked, and whose request has changed, are asked again; the others are kept though theirs has changed, too', async () => {
    await mark(['b']);
    await stale();
    toy.wording[STEP] = 'a new prompt';
    expect(await again()).toMatchObject({ status: 'completed' });
    expect([worker.buyer.soldOf(STEP), await episode.marks(STEP)]).toEqual([['b'], []]);
  });

  it('of a row that was made stale by hand, without marks, are all looked at again', async () => {
    await stale();
    toy.wording[STEP] = 'a new prompt';
    await again();
    expect(worker.buyer.soldOf(STEP).sort()).toEqual(['a', 'b', 'c']);
  });

  it('of a stale row outlive an attempt that stops in the middle', async () => {
    await stale();
    toy.wording[STEP] = 'a new prompt';
    for (const item of ['b', 'c']) worker.buyer.set(item, stopOnceMarkedAre(['b', 'c']));
    await again();
    expect([(await episode.row(STEP)).status, await episode.marks(STEP)]).toEqual(['pending', ['b', 'c']]);
    for (const item of ['b', 'c']) worker.buyer.unset(item);
    expect(await again()).toMatchObject({ status: 'completed' });
    expect(worker.buyer.soldOf(STEP).sort()).toEqual(['a', 'b', 'c']);
  });

  it('under a mark on all, of another tool, are all looked at again, whatever the row says', async () => {
    await database.db
      .insertInto('stale_mark')
      .values({
        project_id: episode.projectId,
        episode_id: 'e1',
        step_id: STEP,
        item_id: '*',
        act: 'screenplay',
        request_id: null,
      })
      .execute();
    await episode.patch(STEP, { status: 'failed' });
    toy.wording[STEP] = 'a new prompt';
    worker.buyer.set('c', stopOnceMarkedAre(['c']));
    await again();
    expect(await episode.marks(STEP)).toEqual(['c']); // one mark an item, so that an attempt that stops loses none
    worker.buyer.unset('c');
    await again();
    expect([worker.buyer.soldOf(STEP).sort(), await episode.marks(STEP)]).toEqual([['a', 'b', 'c'], []]);
  });

  it('that are marked once more keep what their first mark is from, with a time of its own; only a switch gives way', async () => {
    const key = episode.key(STEP);
    const marks = () => datedMarks(database.db, key);
    await mark(['a']);
    await database.db.transaction().execute((tx) => markToggled(tx, key, 'b'));
    const before = await marks();
    await database.db.transaction().execute((tx) => markStale(tx, key, 'editor', null, ['a', 'b']));
    const after = await marks();
    expect([after.get('a')!.act, after.get('b')!.act]).toEqual(['force', 'editor']);
    await database.db.transaction().execute((tx) => clearMarksRead(tx, key, before));
    expect(await marks()).toEqual(after); // what was read before is no more
    await database.db.transaction().execute((tx) => clearMarksRead(tx, key, new Map([['a', after.get('a')!]])));
    expect(await episode.marks(STEP)).toEqual(['b']);
  });

  it('that are marked and asked no more are detached, with their mark; a shot that is only switched off is kept', async () => {
    await mark(['c']);
    await database.db
      .insertInto('stale_mark')
      .values({
        project_id: episode.projectId,
        episode_id: 'e1',
        step_id: STEP,
        item_id: 'b',
        act: 'toggle',
        request_id: null,
      })
      .execute();
    await stale();
    toy.items[STEP] = ['a'];
    expect(await again()).toMatchObject({ status: 'completed' });
    expect([await episode.kept(STEP), await episode.marks(STEP)]).toEqual([['a', 'b'], []]);
    const { item_result: all } = await episode.everything();
    expect(all).toHaveLength(3); // detached, not deleted
  });

  it('given up by the operator are not asked by a rerun, and are asked once they are forced', async () => {
    await database.db
      .updateTable('item_result')
      .set({ status: 'failed', error_code: 'purchase.given_up', result: null })
      .where('project_id', '=', episode.projectId)
      .where('item_id', '=', 'b')
      .execute();
    await episode.patch(STEP, { status: 'partial' });
    expect(await again()).toMatchObject({ status: 'partial', code: 'purchase.given_up' });
    expect(worker.buyer.sold).toEqual([]);
    const run = await episode.openRun();
    const force = { requestId: `force-${episode.projectId}`, items: ['b'], by: 'director' };
    expect(await worker.attempt(episode, STEP, { workflowRunId: run, force })).toMatchObject({ status: 'completed' });
    expect(worker.buyer.soldOf(STEP)).toEqual(['b']);
  });

  it('are asked again in another schema version, and only these', async () => {
    toy.schemaVersion[STEP] = 2;
    await episode.patch(STEP, { status: 'failed' });
    await again();
    expect(worker.buyer.soldOf(STEP).sort()).toEqual(['a', 'b', 'c']);
  });

  it('keep a step from being completed while a mark is left on one of them', async () => {
    await stale();
    toy.wording[STEP] = 'a new prompt';
    worker.buyer.set('c', async (context, call) => {
      const bought = await worker.buyer.sell(context, call);
      await database.db
        .insertInto('stale_mark')
        .values({
          project_id: episode.projectId,
          episode_id: 'e1',
          step_id: STEP,
          item_id: 'gone',
          act: 'restore',
          request_id: null,
        })
        .execute();
      return bought;
    });
    expect(await again()).toMatchObject({ status: 'partial', reason: expect.stringContaining('marked stale') });
  });

  it('of a step whose settings were replaced are not marked: drift blocks, and asks nothing', async () => {
    await worker.attempt(episode, 'shot_selection');
    await worker.attempt(episode, 'entity_t2i');
    await worker.attempt(episode, 'scene_detail');
    worker.buyer.sold.length = 0;
    await database.db
      .insertInto('project_config')
      .values({
        project_id: episode.projectId,
        settings: JSON.stringify({ 'image.size': '640x360', 'model.text': 'another' }),
      })
      .execute();
    const run = await episode.openRun();
    expect(await worker.attempt(episode, 'scene_detail', { workflowRunId: run })).toMatchObject({
      status: 'completed',
      ran: false,
    });
    await database.db
      .updateTable('project_config')
      .set({ settings: JSON.stringify({ style: 'noir' }) })
      .where('project_id', '=', episode.projectId)
      .execute();
    expect(await worker.attempt(episode, 'scene_detail', { workflowRunId: run })).toMatchObject({
      outcome: 'blocked',
      code: 'step.resume_blocked',
      reason: expect.stringContaining('style'),
    });
    expect([worker.buyer.sold, await episode.marks('scene_detail')]).toEqual([[], []]);
  });
});

import { Client } from 'pg';
import { AppError } from '../../src/domain/errors';
import type { Json } from '../../src/domain/json';
import { STEP_IDS } from '../../src/domain/steps';
import { ALONE, decideStep } from '../../src/execution/decide-step';
import { readEpisodeView } from '../../src/execution/episode-view';
import { hashOf } from '../../src/hash';
import { setSetting } from '../../src/operations/set-setting';
import { STEPS } from '../../src/pipeline/manifest';
import { markStale } from '../../src/store/stale-marks';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { EDITOR, openEditorBench, type EditorBench } from '../support/editor-bench';
import type { OfflineBuyer } from '../support/offline-buyer';
import type { TestEpisode } from '../support/test-episode';
import type { TestWorker, WorkerOptions } from '../support/test-worker';

const STEP = EDITOR;

describe('the editor step', () => {
  let database: TestDatabase;
  let bench: EditorBench;
  let episode: TestEpisode;
  let shop: OfflineBuyer;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    bench = await openEditorBench(database);
    ({ episode, shop } = bench);
    worker = bench.another();
  });

  const { another, correct, park, victims } = {
    another: (options?: WorkerOptions) => bench.another(options),
    correct: (prompt?: string) => bench.correct(prompt),
    park: (by = worker) => bench.park(by),
    victims: () => bench.victims(),
  };
  const scenes = () => bench.scenes();
  const firstShot = () => bench.firstShot();
  const corrections = (list: Json[]) => bench.corrections(list);
  const newVersion = (body: unknown) => bench.newVersion(body);
  const review = (by = worker) => by.attempt(episode, STEP);
  const decideAll = async (): Promise<Record<string, string>> => {
    const view = await readEpisodeView(database.db, episode.projectId, 'e1');
    const decisions = await Promise.all(
      STEP_IDS.map(
        async (step) => [step, (await decideStep(worker.deps, view, step, ALONE('resume'))).action] as const,
      ),
    );
    return Object.fromEntries(decisions);
  };

  it('applies what it bought: only the named prompt and its hash move, in the victim that has it, as a new version of the editor', async () => {
    await correct();
    const [before, entities] = [await scenes(), await episode.bodyOf('entity_t2i')];
    const token = await park();
    expect((await scenes()).scenes).toEqual(before.scenes);
    expect(await worker.refresh(episode, STEP, token)).toMatchObject({ outcome: 'ended', status: 'completed' });
    const after = await scenes();
    expect(after.scenes[0]!.t2i_variations[0]).toMatchObject({
      t2i_prompt: 'A prompt of the editor.',
      owned_validation: { _mutation_origin: STEP },
      render_prompt_card_hash: (before.scenes[0]!.t2i_variations[0] as unknown as Record<string, string>)
        .render_prompt_card_hash,
    });
    expect(after.scenes[0]!.t2i_variations.slice(1)).toEqual(before.scenes[0]!.t2i_variations.slice(1));
    expect(after.scenes.slice(1)).toEqual(before.scenes.slice(1));
    expect(await episode.bodyOf('entity_t2i')).toBe(entities);
    expect(await episode.versions('scene_detail')).toEqual([1, 2]);
    expect(await episode.versions('entity_t2i')).toEqual([1]);
    const { checkpoint } = await episode.everything();
    expect(
      checkpoint!.map((one) => (one as { row: { step_id: string; version: number; written_by: string } }).row),
    ).toContainEqual(expect.objectContaining({ step_id: 'scene_detail', version: 2, written_by: STEP }));
  });

  it('is followed by a resume that finds every step clean', async () => {
    await correct();
    await worker.refresh(episode, STEP, await park());
    expect(await decideAll()).toMatchObject(Object.fromEntries(STEP_IDS.slice(0, 6).map((step) => [step, 'skip'])));
  });

  it('takes the kept items along, so that a later rerun of the victim does not undo the edit, and buys nothing', async () => {
    await correct();
    await worker.refresh(episode, STEP, await park());
    const edited = await episode.bodyOf('scene_detail');
    await episode.patch('scene_detail', { status: 'stale' });
    shop.sold.length = 0;
    expect(await worker.attempt(episode, 'scene_detail', { workflowRunId: await episode.openRun() })).toMatchObject({
      status: 'completed',
    });
    expect([await episode.bodyOf('scene_detail'), shop.sold]).toEqual([edited, []]);
  });

  it('without corrections changes nothing, not even a version', async () => {
    corrections([]);
    const before = await victims();
    await worker.refresh(episode, STEP, await park());
    expect(await victims()).toBe(before);
    expect(await episode.row(STEP)).toMatchObject({ status: 'completed' });
  });

  it('twice with the same corrections writes the same bytes, and no second version', async () => {
    await correct();
    await worker.refresh(episode, STEP, await park());
    const once = await victims();
    await episode.patch(STEP, { status: 'stale' });
    const run = await episode.openRun();
    const again = await worker.attempt(episode, STEP, { workflowRunId: run, editor: 'apply' });
    expect([again, await victims()]).toEqual([expect.objectContaining({ status: 'completed' }), once]);
  });

  it('marks, of the steps after it, only the items that read a changed prompt; nothing between victim and editor', async () => {
    corrections([]);
    await worker.refresh(episode, STEP, await park());
    for (const step of STEP_IDS.slice(6))
      expect(await worker.attempt(episode, step)).toMatchObject({ status: 'completed' });
    const shot = await firstShot();
    await correct('Quite another picture.');
    const run = await episode.openRun();
    await episode.patch(STEP, { status: 'stale' });
    await database.db
      .deleteFrom('item_result')
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', STEP)
      .execute();
    await worker.attempt(episode, STEP, { workflowRunId: run, editor: 'apply' });
    const marks = await episode.marks('scene_image_pipeline');
    expect(marks).toContain(shot.shot_id);
    expect(marks.length).toBeLessThan((await episode.kept('scene_image_pipeline')).length);
    expect(await decideAll()).toMatchObject({
      scene_detail: 'skip',
      shot_dependency_t2i: 'skip',
      t2i_review: 'skip',
      floor_plan_render: 'skip',
      background_render: 'skip',
      scene_image_pipeline: 'rerun_self',
    });
  });

  it('with a mark on all that came while it waited, is applied and ends partial, so that it is looked at again', async () => {
    await correct();
    const token = await park();
    await database.db.transaction().execute((tx) => markStale(tx, episode.key(STEP), 'screenplay', null, ['*']));
    expect(await another().refresh(episode, STEP, token)).toMatchObject({ outcome: 'ended', status: 'partial' });
    expect([await episode.versions('scene_detail'), await episode.marks(STEP)]).toEqual([[1, 2], ['*']]);
  });

  describe('that fails leaves no trace in its victims', () => {
    const fails = async (code: string) => {
      const before = await victims();
      const outcome = await worker.refresh(episode, STEP, await park());
      expect(outcome).toMatchObject({ outcome: 'ended', status: 'failed', code });
      expect(await victims()).toBe(before);
      expect(await episode.row(STEP)).toMatchObject({ status: 'failed', error_message: expect.stringContaining(code) });
    };

    it('where a victim would not verify', async () => {
      await correct();
      const { verify } = STEPS.scene_detail;
      let reads = 0;
      const broken = {
        ...STEPS.scene_detail,
        verify: (context: Parameters<typeof verify>[0]) =>
          (reads += 1) > 1 ? Promise.reject(new AppError('step.contract_violation', 'no')) : verify(context),
      };
      worker = another({ deps: { steps: { ...STEPS, scene_detail: broken } } });
      await fails('t2i_review.victim_verify_failed');
    });

    it('where a victim has got another version than the review read', async () => {
      await correct();
      const token = await park();
      let before = '';
      const { verify } = STEPS.t2i_review;
      const late: typeof verify = async (context) => {
        await newVersion(await scenes()); // after the activity has read the episode, and before its transaction
        before = await victims();
        return verify(context);
      };
      const heir = another({ deps: { steps: { ...STEPS, t2i_review: { ...STEPS.t2i_review, verify: late } } } });
      expect(await heir.refresh(episode, STEP, token)).toMatchObject({
        status: 'failed',
        code: 't2i_review.victim_changed',
      });
      expect(await victims()).toBe(before);
    });

    it('where the row is stolen between its last safe point and the write: nothing is written, not even a status', async () => {
      await correct();
      const token = await park();
      const thief = new Client({ connectionString: database.url });
      await thief.connect();
      try {
        const { verify } = STEPS.t2i_review;
        const late: typeof verify = async (context) => {
          await thief.query('BEGIN'); // stolen, and not yet to be seen: the safe point that follows finds nothing
          await thief.query(
            `UPDATE step_run SET run_id = 'thief', owner_boot_id = 'thief' WHERE project_id = $1 AND step_id = $2`,
            [episode.projectId, STEP],
          );
          return verify(context);
        };
        const heir = another({ deps: { steps: { ...STEPS, t2i_review: { ...STEPS.t2i_review, verify: late } } } });
        const before = await victims();
        const applying = heir.refresh(episode, STEP, token);
        await eventually(
          'the editor waits for its row',
          async () =>
            (await thief.query('SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))'))
              .rowCount! > 0,
        );
        await thief.query('COMMIT');
        expect(await applying).toMatchObject({ outcome: 'retry', code: 'step.ownership_lost' });
        expect(await victims()).toBe(before);
        expect(await episode.row(STEP)).toMatchObject({ status: 'running', run_id: 'thief' });
      } finally {
        await thief.end();
      }
    });

    it('where a victim is not completed any more', async () => {
      await correct();
      const parked = await park();
      await episode.patch('entity_t2i', { status: 'stale' });
      const before = await victims();
      expect(await worker.refresh(episode, STEP, parked)).toMatchObject({
        status: 'failed',
        code: 't2i_review.victim_changed',
      });
      expect(await victims()).toBe(before);
    });
  });

  it('applies the review to a new version of the very same content, and reviews a changed one anew', async () => {
    await correct();
    const token = await park();
    await newVersion(await scenes());
    shop.sold.length = 0;
    expect(await another().refresh(episode, STEP, token)).toMatchObject({ status: 'completed' });
    expect(shop.sold).toEqual([]);
    await episode.patch(STEP, { status: 'stale' });
    await another().attempt(episode, STEP, { workflowRunId: await episode.openRun(), editor: 'apply' });
    expect(shop.soldOf(STEP)).toEqual(['all']); // the edit itself has changed what a review reads
  });

  it("never signs over earlier damage: it is blocked with the victim's origin, and buys nothing", async () => {
    const body = await scenes();
    (body.scenes[0]!.t2i_variations[0] as { t2i_prompt: string }).t2i_prompt = 'changed by hand';
    await database.db
      .updateTable('checkpoint')
      .set({ body: JSON.stringify(body) })
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', 'scene_detail')
      .execute();
    shop.sold.length = 0;
    expect(await review()).toMatchObject({
      outcome: 'blocked',
      code: 'step.resume_blocked',
      reason: expect.stringContaining('(origin=invariant_drift)'),
    });
    expect(shop.sold).toEqual([]);
  });

  it.each(['entity_t2i', 'scene_detail'] as const)(
    'never signs over %s made under other settings: it is blocked with the origin that the victim itself is',
    async (victim) => {
      await setSetting(database.db, { projectId: episode.projectId, key: 'style', value: 'noir', by: 'test' });
      const other = victim === 'entity_t2i' ? 'scene_detail' : 'entity_t2i';
      await database.db // as if the other victim had been made after the change
        .updateTable('checkpoint')
        .set({ config_hashes: JSON.stringify({ style: hashOf('noir') }) })
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', other)
        .execute();
      shop.sold.length = 0;
      const view = await readEpisodeView(database.db, episode.projectId, 'e1');
      expect(await decideStep(worker.deps, view, victim, ALONE('resume'))).toMatchObject({ origin: 'contract_drift' });
      expect(await decideStep(worker.deps, view, STEP, ALONE('resume'))).toMatchObject({
        action: 'block',
        origin: 'contract_drift',
        reason: expect.stringContaining(`edits ${victim}`),
        evidence: [expect.objectContaining({ what: 'config', where: 'style' })],
      });
      expect(await review()).toMatchObject({
        outcome: 'blocked',
        code: 'step.resume_blocked',
        reason: expect.stringContaining('the setting style has changed'),
      });
      expect(shop.sold).toEqual([]);
    },
  );
});

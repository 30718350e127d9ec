import { STEP_IDS, downstreamOf, type StepId } from '../../src/domain/steps';
import { readEpisodeView } from '../../src/execution/episode-view';
import { forecast } from '../../src/execution/forecast';
import { STEPS } from '../../src/pipeline/manifest';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { OfflineBuyer } from '../support/offline-buyer';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, type TestWorker } from '../support/test-worker';

/** The real nine steps, all completed; then one checkpoint is gone or damaged by hand (cases C13, C34). */
describe('a checkpoint that is gone or damaged', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let worker: TestWorker;
  let shop: OfflineBuyer;

  beforeAll(async () => {
    database = await createTestDatabase();
    episode = await createTestEpisode(database.db);
    shop = new OfflineBuyer();
    worker = openTestWorker(database.db, { deps: { steps: STEPS, buyer: shop, artifacts: shop.probe } });
    for (const step of STEP_IDS) await worker.attempt(episode, step, { editor: 'apply' });
  });
  afterAll(() => database.drop());

  const decisions = async () => {
    const view = await readEpisodeView(database.db, episode.projectId, 'e1');
    const steps = await forecast(worker.deps, view, { chosen: STEP_IDS, force: [], items: {} });
    return Object.fromEntries(steps.map(({ stepId, decision }) => [stepId, [decision.action, decision.origin]]));
  };
  const newest = async (step: StepId) =>
    database.db
      .selectFrom('checkpoint')
      .selectAll()
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', step)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow();
  const write = (
    step: StepId,
    version: number,
    change: { body?: string; archived_at?: string | null; config_hashes?: string; schema_version?: number },
  ) =>
    database.db
      .updateTable('checkpoint')
      .set(change)
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', step)
      .where('version', '=', version)
      .execute();
  const others = (found: Record<string, unknown>, step: StepId) =>
    STEP_IDS.filter((one) => one !== step && !downstreamOf(step).includes(one)).map((one) => [one, found[one]]);
  const allSkipped = (step: StepId) =>
    STEP_IDS.filter((one) => one !== step && !downstreamOf(step).includes(one)).map((one) => [one, ['skip', 'clean']]);

  it('starts from nine skips', async () => {
    expect(await decisions()).toEqual(Object.fromEntries(STEP_IDS.map((step) => [step, ['skip', 'clean']])));
  });

  it.each(STEP_IDS)('of %s, gone, reruns that step and holds up no other', async (step) => {
    const { version } = await newest(step);
    await write(step, version, { archived_at: 'now' });
    const found = await decisions();
    await write(step, version, { archived_at: null });
    expect(found[step]).toEqual(['rerun_self', 'artifact_missing']);
    expect(Object.values(found).map((one) => (one as string[])[0])).not.toContain('block');
    expect(others(found, step)).toEqual(allSkipped(step));
  });

  describe.each(STEP_IDS)('of %s', (step) => {
    it.each(['', '{', 'null', '[]', '"text"', '{"scenes":null,"shots":null,"entities":null,"characters":null}'])(
      'damaged to %j is named contract drift, never a crash or a skip, and spares what does not read it',
      async (body) => {
        const { version, body: whole } = await newest(step);
        await write(step, version, { body });
        const found = await decisions();
        await write(step, version, { body: whole });
        expect(found[step]).toEqual(['block', 'contract_drift']);
        expect(others(found, step)).toEqual(allSkipped(step));
      },
    );

    it('with unreadable hashes of its settings is contract drift', async () => {
      const { version, config_hashes: hashes } = await newest(step);
      await write(step, version, { config_hashes: '{' });
      const found = await decisions();
      await write(step, version, { config_hashes: hashes });
      expect(found[step]).toEqual(['block', 'contract_drift']);
    });

    it('of a newer release blocks', async () => {
      const { version, schema_version: schema } = await newest(step);
      await write(step, version, { schema_version: schema + 1 });
      const found = await decisions();
      await write(step, version, { schema_version: schema });
      expect(found[step]).toEqual(['block', 'contract_drift']);
    });
  });

  it('asks an item again whose kept result is damaged, and buys nothing else', async () => {
    const step: StepId = 'floor_plan_render';
    await database.db
      .updateTable('item_result')
      .set({ result: '{' })
      .where('project_id', '=', episode.projectId)
      .where('step_id', '=', step)
      .where('id', 'in', (items) =>
        items
          .selectFrom('item_result')
          .select('id')
          .where('project_id', '=', episode.projectId)
          .where('step_id', '=', step)
          .limit(1),
      )
      .execute();
    await episode.patch(step, { status: 'failed' });
    shop.sold.length = 0;
    expect(await worker.attempt(episode, step, { workflowRunId: await episode.openRun() })).toMatchObject({
      status: 'completed',
    });
    expect(shop.soldOf(step)).toHaveLength(1);
  });

  it("says which settings cannot be read, where a project's are no JSON any more", async () => {
    await database.db.insertInto('project_config').values({ project_id: episode.projectId, settings: '{' }).execute();
    await expect(decisions()).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(episode.projectId),
    });
    await database.db.deleteFrom('project_config').where('project_id', '=', episode.projectId).execute();
  });
});

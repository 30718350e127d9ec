import { explainStep } from '../../src/operations/queries/explain';
import { decisionsOfRun } from '../../src/operations/queries/announced';
import { diffSnapshots } from '../../src/operations/queries/snapshot-diff';
import { listSnapshots, showSnapshot } from '../../src/operations/queries/snapshots';
import { setSetting } from '../../src/operations/set-setting';
import { readProjectSettings } from '../../src/operations/queries/project-settings';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An episode of its own for each test. */
const fresh = () => ({ projectId: 'p', episodeId: `e${(serial += 1)}` });

describe('snapshots', () => {
  async function addVersion(
    episode: { projectId: string; episodeId: string },
    version: number,
    body: string,
    columns: { archived_at?: string; written_by?: string } = {},
  ) {
    await database.db
      .insertInto('checkpoint')
      .values({
        project_id: episode.projectId,
        episode_id: episode.episodeId,
        step_id: 'scene_detail',
        version,
        schema_version: 1,
        config_hashes: '{}',
        body,
        status: 'completed',
        written_by: 'scene_detail',
        ...columns,
      })
      .execute();
  }

  test('newest first, the one that counts is marked, and who wrote it is told', async () => {
    const episode = fresh();
    await addVersion(episode, 1, '{}');
    await addVersion(episode, 2, '{"a":1}', { written_by: 't2i_review' });
    const { snapshots } = await listSnapshots(database.db, episode, 'scene_detail');
    expect(snapshots.map(({ version, current, writtenBy }) => ({ version, current, writtenBy }))).toEqual([
      { version: 2, current: true, writtenBy: 't2i_review' },
      { version: 1, current: false, writtenBy: 'scene_detail' },
    ]);
  });

  test('where a force has archived the newest, none counts', async () => {
    const episode = fresh();
    await addVersion(episode, 1, '{}', { archived_at: '2026-01-01T00:00:00.000000Z' });
    expect((await listSnapshots(database.db, episode, 'scene_detail')).snapshots[0]?.current).toBe(false);
  });

  test('an unknown version names those there are', async () => {
    const episode = fresh();
    await addVersion(episode, 3, '{}');
    await expect(showSnapshot(database.db, episode, 'scene_detail', 9)).rejects.toMatchObject({
      code: 'snapshot.unknown',
      message: expect.stringContaining('versions: 3') as string,
    });
  });

  test('a body that is no JSON is shown as it stands', async () => {
    const episode = fresh();
    await addVersion(episode, 1, 'not json');
    expect((await showSnapshot(database.db, episode, 'scene_detail', 1)).body).toBe('not json');
  });

  test('a diff names each place that differs, and leaves out what is the same', async () => {
    const episode = fresh();
    await addVersion(episode, 1, '{"same":1,"list":[{"p":"a"},{"p":"b"}],"gone/~":true}');
    await addVersion(episode, 2, '{"list":[{"p":"a"},{"p":"c"}],"same":1.0,"new":null}');
    expect((await diffSnapshots(database.db, episode, 'scene_detail', 1, 2)).changes).toEqual([
      { path: '/list/1/p', kind: 'changed', before: 'b', after: 'c' },
      { path: '/gone~1~0', kind: 'removed', before: true },
      { path: '/new', kind: 'added', after: null },
    ]);
  });
});

describe('decisions', () => {
  async function addDecision(
    episode: { projectId: string; episodeId: string },
    columns: {
      step_id?: string;
      action?: string;
      evidence?: string;
      workflow_run_id?: string;
      run_id?: string;
      reason?: string;
    },
  ) {
    await database.db
      .insertInto('step_decision')
      .values({
        project_id: episode.projectId,
        episode_id: episode.episodeId,
        step_id: 'scene_detail',
        made_by: 'attempt',
        action: 'rerun_self',
        reason: 'because',
        evidence: '[]',
        ...columns,
      })
      .execute();
  }

  test('newest first, only of the run that is asked for, by the id of the step or of the workflow', async () => {
    const episode = fresh();
    await addDecision(episode, { run_id: 'r1', workflow_run_id: 'w1', reason: 'first' });
    await addDecision(episode, { run_id: 'r2', workflow_run_id: 'w2', reason: 'second' });
    const reasons = async (run?: string) =>
      (await explainStep(database.db, episode, 'scene_detail', { run, limit: 10 })).decisions.map(
        (decision) => decision.reason,
      );
    expect(await reasons()).toEqual(['second', 'first']);
    expect([await reasons('r1'), await reasons('w2')]).toEqual([['first'], ['second']]);
  });

  test("a newer release's action is shown as a block, and evidence that cannot be read as it stands", async () => {
    const episode = fresh();
    await addDecision(episode, { action: 'teleport', evidence: '{broken' });
    const [decision] = (await explainStep(database.db, episode, 'scene_detail', { limit: 1 })).decisions;
    expect(decision).toMatchObject({
      action: 'block',
      reason: '(teleport) because',
      evidence: [{ what: 'unreadable evidence', found: '{broken' }],
    });
  });

  test('a run shows the newest decision of each step, in the order of the pipeline', async () => {
    const episode = fresh();
    const workflow_run_id = `w-${episode.episodeId}`;
    await addDecision(episode, { step_id: 't2i_review', workflow_run_id });
    await addDecision(episode, { step_id: 'world_guide', workflow_run_id, action: 'rerun_self' });
    await addDecision(episode, { step_id: 'world_guide', workflow_run_id, action: 'skip' });
    expect(
      (await decisionsOfRun(database.db, workflow_run_id)).map(({ stepId, action }) => ({ stepId, action })),
    ).toEqual([
      { stepId: 'world_guide', action: 'skip' },
      { stepId: 't2i_review', action: 'rerun_self' },
    ]);
  });
});

describe('settings', () => {
  test('two that are set at once both stand, another project keeps its own', async () => {
    const set = (key: string, value: string) =>
      setSetting(database.db, { projectId: 'settings', key, value, by: 'test' });
    await Promise.all([set('style', 'noir'), set('offline.priceUsd', '0.04'), set('inDoubt.image', 'rebuy')]);
    expect(await readProjectSettings(database.db, 'settings')).toMatchObject({
      style: 'noir',
      'offline.priceUsd': 0.04,
      'inDoubt.image': 'rebuy',
    });
    expect(await readProjectSettings(database.db, 'other')).toMatchObject({ style: 'ink wash storyboard' });
  });

  test('a text that looks like a number stays a text where the setting is one', async () => {
    const config = await setSetting(database.db, { projectId: 'numbers', key: 'style', value: '1984', by: 'test' });
    expect(config.style).toBe('1984');
  });

  test.each([
    ['offline.priceUsd', 'cheap', 'config.invalid'],
    ['offline.priceUsd', '', 'config.invalid'],
    ['image.size', 'big', 'config.invalid'],
    ['constructor', 'x', 'config.unknown_key'],
  ])('%s cannot be %j (%s), and nothing is written', async (key, value, code) => {
    await expect(setSetting(database.db, { projectId: 'refused', key, value, by: 'test' })).rejects.toMatchObject({
      code,
    });
    const written = await database.db.selectFrom('audit').select('id').where('project_id', '=', 'refused').execute();
    expect(written).toEqual([]);
  });
});

import { beginRun } from '../../src/cli/run/begin';
import type { RunOptions } from '../../src/cli/run/request';
import type { Session } from '../../src/cli/session';
import type { StartRequest } from '../../src/operations/contract';
import { putEpisode } from '../../src/operations/put-episode';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';
import { openTestWorker, runUpTo } from '../support/test-worker';

const STORED = 'INT. KITCHEN - DAY\n\nMARA waits.\n';
const ANOTHER = `${STORED}\nMARA\nFor whom?\n`;

/** What `callsheet run FILE` stores, and when it refuses instead (spec 50 "Command line"). */
describe('run with a file', () => {
  let database: TestDatabase;
  let episode: TestEpisode;
  let started: StartRequest[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    started = [];
    episode = await createTestEpisode(database.db, STORED);
    await runUpTo(openTestWorker(database.db), episode, 'shot_selection');
    await episode.endRun();
  });

  const run = (text: string, options: Partial<RunOptions>, episodeId = 'e1') => {
    const operations = {
      db: database.db,
      putEpisode: (input: Parameters<typeof putEpisode>[1]) => putEpisode({ db: database.db }, input),
      openRunOf: () => Promise.resolve(null),
      startRun: (request: StartRequest) => {
        started.push(request);
        return Promise.resolve({ outcome: 'started', decisions: [] });
      },
    };
    return beginRun({ operations } as unknown as Session, {
      episode: { projectId: episode.projectId, episodeId },
      screenplay: { fileName: 'e1.fountain', bytes: Buffer.from(text) },
      options: { project: episode.projectId, ...options },
      changes: true,
      requestId: 'r1',
    });
  };
  const episodes = () =>
    database.db.selectFrom('episode').selectAll().where('project_id', '=', episode.projectId).execute();
  const everything = async () => JSON.stringify([await episodes(), await episode.everything()]);

  const ITEMS = { items: { entity_t2i: ['character-x'] } };
  it.each<[string, Partial<RunOptions>, string, RegExp]>([
    ['a step forced that is not chosen', { steps: ['world_guide'], force: ['entity_t2i'] }, 'input.invalid', /chosen/],
    ['a step forced as a whole and by items', { force: ['entity_t2i'], ...ITEMS }, 'input.invalid', /one of them/],
    ['a plan of the stored text', { planToken: 't' }, 'plan.outdated', /without --plan-token first/],
    ['items of the stored text', ITEMS, 'input.invalid', /without --items first/],
  ])('that has another text is refused with %s, and the stored one stays, with every row', async (...args) => {
    const [, options, code, message] = args;
    const before = await everything();
    await expect(run(ANOTHER, options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await everything()).toBe(before);
    expect(started).toEqual([]);
  });

  it.each<[string, Partial<RunOptions>]>([
    ['a plan token', { planToken: 't' }],
    ['items', ITEMS],
  ])('of a new episode is refused with %s, and none is made', async (_what, options) => {
    await expect(run(STORED, options, 'new')).rejects.toMatchObject({ code: 'episode.unknown' });
    expect(await episodes()).toHaveLength(1);
    expect(started).toEqual([]);
  });

  it.each<[string, Partial<RunOptions>]>([
    ['a plan token', { planToken: 't' }],
    ['items', ITEMS],
  ])('that has the stored text starts with %s', async (_what, options) => {
    const before = await everything();
    await run(STORED, options);
    expect(started).toMatchObject([options]);
    expect(await everything()).toBe(before);
  });

  it('that has another text replaces the stored one where neither is given, and starts', async () => {
    await run(ANOTHER, { force: ['entity_t2i'] });
    expect(await episodes()).toMatchObject([{ screenplay: ANOTHER, screenplay_version: 2 }]);
    expect(started).toMatchObject([{ force: ['entity_t2i'] }]);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cancelBody } from '../../src/bodies/cancel';
import { problemBody } from '../../src/bodies/problem';
import { releaseBody } from '../../src/bodies/release';
import { main } from '../../src/cli/main';
import { realDependencies } from '../../src/cli/real-dependencies';
import { readConfig } from '../../src/config';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { terminalDouble } from '../support/terminal-double';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

/** Nothing listens there. */
const DEAD = '127.0.0.1:1';
const DEAD_OWNER = {
  status: 'running',
  owner_host: 'elsewhere',
  owner_pid: 1,
  owner_boot_id: 'another boot',
  started_at: '2020-01-01T00:00:00.000000Z',
  heartbeat_at: '2020-01-01T00:00:00.000000Z',
} as const;

let database: TestDatabase;
let home: string;
let episode: TestEpisode;
beforeAll(async () => {
  database = await createTestDatabase();
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-cli-'));
});
afterAll(async () => {
  await database.drop();
  fs.rmSync(home, { recursive: true, force: true });
});
beforeEach(async () => {
  episode = await createTestEpisode(database.db);
  await episode.insert('world_guide', { ...DEAD_OWNER, run_id: 'r1', workflow_run_id: episode.runId });
});

/** The command line on named services, as it is but for its streams. */
async function call(argv: readonly string[], environment: Record<string, string> = { TEMPORAL_ADDRESS: DEAD }) {
  const double = terminalDouble({ json: true });
  const dependencies = {
    ...realDependencies,
    readConfig: () =>
      readConfig({ DATABASE_URL: database.url, CALLSHEET_HOME: home, STEP_HEARTBEAT_SECONDS: '1', ...environment }),
  };
  const code = await main([...argv, '--project', episode.projectId, '--json'], double.streams, dependencies);
  return { code, body: JSON.parse(double.out()) as unknown, err: double.err() };
}

describe('with Temporal out of reach', () => {
  it.each([
    ['status', ['status'], 0],
    ['locks', ['locks'], 0],
    ['purchases', ['purchases'], 0],
    ['audit', ['audit'], 0],
    ['explain', ['explain', 'world_guide'], 0],
    ['plan', ['plan'], 0],
  ])('%s answers as ever', async (_what, argv, code) => {
    const answer = await call(argv);
    expect(answer).toMatchObject({ code });
    expect(problemBody.safeParse(answer.body).success).toBe(false);
  });

  it('a dead row is released', async () => {
    await episode.patch('world_guide', { workflow_id: episode.workflowId, activity_task_token: 'dG9rZW4=' });
    const { code, body } = await call(['release', 'world_guide']);
    expect({ code, body: releaseBody.parse(body) }).toMatchObject({
      code: 0,
      body: { released: true, warning: expect.stringContaining('not told') as string },
    });
    expect((await episode.row('world_guide')).status).toBe('failed');
  });

  it('a release that is refused shows the row as it is', async () => {
    await episode.patch('world_guide', { heartbeat_at: 'last Tuesday' });
    const { code, body } = await call(['release', 'world_guide']);
    expect({ code, body: problemBody.parse(body) }).toMatchObject({
      code: 3,
      body: { code: 'step.resume_blocked', lock: { stepId: 'world_guide', verdict: 'unknown' } },
    });
  });

  it('a cancel stands, says that the rest of the run was not told, and ends with 1', async () => {
    const { code, body } = await call(['cancel']);
    expect({ code, problem: problemBody.parse(body) }).toMatchObject({
      code: 1,
      problem: { code: 'temporal.unavailable', detail: expect.stringContaining('The cancel stands') as string },
    });
    const rows = await database.db
      .selectFrom('run_cancel')
      .select('step')
      .where('workflow_run_id', '=', episode.runId)
      .execute();
    expect(rows).toEqual([{ step: '*' }]);
  });

  it('a cancel with a database that is named, and no Temporal at all, starts nothing and stands', async () => {
    const { code, body } = await call(['cancel', 'world_guide'], {});
    expect({ code, answer: cancelBody.parse(body) }).toMatchObject({
      code: 0,
      answer: { steps: expect.arrayContaining(['world_guide']) as string[], warning: expect.any(String) as string },
    });
    expect(fs.readdirSync(home).filter((name) => name !== 'logs')).toEqual([]);
  });
});

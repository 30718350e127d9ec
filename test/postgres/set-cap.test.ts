import { setCap } from '../../src/operations/set-cap';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode } from '../support/test-episode';

describe('the cap of a run', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const set = (projectId: string, runId: string) => setCap(database.db, { projectId, runId, capUsd: 5, by: 'test' });

  it('is set on an open run of the project', async () => {
    const { projectId, runId } = await createTestEpisode(database.db);
    expect((await set(projectId, runId)).runs).toEqual([{ runId, capUsd: 5, committedUsd: 0 }]);
  });

  it('is refused for a run that is none, of another project, or has ended; nothing is written', async () => {
    const [mine, other] = [await createTestEpisode(database.db), await createTestEpisode(database.db)];
    await expect(set(mine.projectId, 'no run')).rejects.toMatchObject({ code: 'run.unknown' });
    await expect(set(mine.projectId, other.runId)).rejects.toMatchObject({ code: 'run.unknown' });
    await mine.endRun();
    await expect(set(mine.projectId, mine.runId)).rejects.toMatchObject({ code: 'run.ended' });
    const caps = await database.db
      .selectFrom('budget')
      .select('run')
      .where('project_id', '=', mine.projectId)
      .execute();
    expect(caps).toEqual([]);
  });
});

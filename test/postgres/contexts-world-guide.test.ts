import { sql } from 'kysely';
import { STEP_IDS } from '../../src/domain/steps';
import { plan } from '../../src/operations/plan';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { putContext } from '../support/rescan';
import { openStudio, type Studio } from '../support/studio';
import { runStudio } from '../support/studio-run';

let database: TestDatabase;
let studio: Studio;
/** Every request for a world guide, as the provider got it. */
let asked: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

beforeEach(() => {
  asked = [];
  studio.answer('world_guide', (request) => {
    asked.push(JSON.stringify(request));
    return undefined; // the offline writer answers
  });
});

async function putSummary(projectId: string, text: string): Promise<string> {
  const id = await putContext(database.db, { projectId, embedding: 'COMPLETED', summary: 'COMPLETED' });
  const result = {
    context_id: id,
    stage: 'summary' as const,
    content_hash: 'h',
    result: JSON.stringify({ model: 'm', text }),
  };
  await database.db.insertInto('ai.context_result').values(result).execute();
  return id;
}

describe('the world guide', () => {
  it('is asked with the finished summaries of its project, and a context that comes later makes nothing stale', async () => {
    const episode = await studio.episode();
    const { projectId } = episode;
    await putSummary(projectId, 'Plums ripen in August.');
    await putSummary('elsewhere', 'Not of this project.');
    await putContext(database.db, { projectId, body: 'Not summarized yet.' });
    await runStudio(studio, episode);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Plums ripen in August.');
    expect(asked[0]).not.toContain('Not of this project.');
    expect(asked[0]).not.toContain('Not summarized yet.');

    await putSummary(projectId, 'The cellar floods in spring.');
    const { steps } = await plan(studio.deps, episode);
    expect(steps.map(({ stepId, action }) => `${stepId} ${action}`)).toEqual(STEP_IDS.map((step) => `${step} skip`));
  });

  it('asked again draws on the changed contexts, and no other step is asked for the change alone', async () => {
    const episode = await studio.episode();
    const id = await putSummary(episode.projectId, 'Before.');
    await runStudio(studio, episode, { steps: ['world_guide'] });
    await sql`UPDATE ai.context_result SET result = ${JSON.stringify({ model: 'm', text: 'After.' })} WHERE context_id = ${id}`.execute(
      database.db,
    );
    studio.soldSince();
    await runStudio(studio, episode, { steps: ['world_guide'], force: ['world_guide'] });
    expect(Object.keys(studio.soldSince())).toEqual(['world_guide']);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('After.');
  });
});

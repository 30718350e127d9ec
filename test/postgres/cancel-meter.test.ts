import { sql } from 'kysely';
import { statusBody } from '../../src/bodies/status';
import { readStatus } from '../../src/operations/queries/status';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createTestEpisode, type TestEpisode } from '../support/test-episode';

describe('the meter of a cancel', () => {
  let database: TestDatabase;
  let episode: TestEpisode;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    episode = await createTestEpisode(database.db);
    await episode.insert('entity_t2i', {
      status: 'running',
      workflow_run_id: episode.runId,
      applicable_count: 10,
      completed_count: 3,
      failed_count: 1,
    });
  });

  const meter = async () => {
    const { body } = await readStatus(database.db, episode);
    expect(statusBody.parse(body)).toEqual(body);
    return body.cancel;
  };

  let serial = 0;
  const send = async (stepId: string, itemId: string, status = 'sent', deadlineAt = '2999-01-01T00:00:00.000000Z') => {
    const id = `call-${episode.projectId}-${(serial += 1)}`;
    await database.db
      .insertInto('purchase')
      .values({
        id,
        project_id: episode.projectId,
        episode_id: episode.episodeId,
        step_id: stepId,
        item_id: itemId,
        provider: 'http',
        model: 'm',
        request_hash: id,
        generation: 0,
        status,
        run_id: 'r',
        workflow_run_id: episode.runId,
        owner_host: 'h',
        owner_pid: 1,
        owner_boot_id: 'b',
        estimated_cost_usd: '0.05',
        idempotency_key: id,
        key_honoured: false,
        sent_at: sql<string>`to_char((clock_timestamp() - interval '90 seconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
        deadline_at: deadlineAt,
      })
      .execute();
    return id;
  };

  it('is not there where nobody asked for one', async () => {
    await send('entity_t2i', 'a');
    expect(await meter()).toBeNull();
  });

  it('tells the calls in flight with their age, the dollars they commit, and the items that were not started', async () => {
    const first = await send('entity_t2i', 'a');
    const second = await send('entity_t2i', 'b,c');
    await send('entity_t2i', 'd', 'settled');
    await send('shot_selection', 'all'); // a bystander: the cancel does not cover it
    await episode.cancel('entity_t2i');

    const read = (await meter())!;
    expect(read).toMatchObject({ state: 'draining', steps: ['entity_t2i'], committedUsd: 0.1, itemsNotStarted: 3 });
    expect(read.callsInFlight.map(({ purchaseId, stepId, itemId }) => [purchaseId, stepId, itemId])).toEqual([
      [first, 'entity_t2i', 'a'],
      [second, 'entity_t2i', 'b,c'],
    ]);
    for (const { ageSeconds } of read.callsInFlight) expect(ageSeconds).toBeGreaterThanOrEqual(90);
  });

  it('leaves out a call whose deadline has passed, as after a kill: it is in doubt, and nothing drains for ever', async () => {
    await send('entity_t2i', 'a', 'sent', '2020-01-01T00:00:00.000000Z');
    await episode.cancel('entity_t2i');
    await episode.patch('entity_t2i', { status: 'cancelled' });
    expect(await meter()).toMatchObject({ state: 'cancelled', callsInFlight: [], committedUsd: 0 });
    const alive = await send('entity_t2i', 'b');
    expect(await meter()).toMatchObject({ state: 'draining', callsInFlight: [{ purchaseId: alive }] });
  });

  it('is requested until the step ends, and cancelled then, with what it left', async () => {
    await episode.cancel('entity_t2i');
    expect(await meter()).toMatchObject({ state: 'requested', callsInFlight: [], itemsNotStarted: 6 });
    await episode.patch('entity_t2i', { status: 'cancelled' });
    expect(await meter()).toMatchObject({ state: 'cancelled', itemsNotStarted: 6 });
  });

  it('of everything is cancelled when the run has ended, and the next run starts without one', async () => {
    await episode.cancel('*');
    await episode.patch('entity_t2i', { status: 'cancelled' });
    expect(await meter()).toMatchObject({ state: 'requested', steps: ['*'] });
    await episode.endRun();
    expect(await meter()).toMatchObject({ state: 'cancelled' });
    await episode.openRun();
    expect(await meter()).toBeNull();
  });
});

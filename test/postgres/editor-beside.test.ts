import { Client } from 'pg';
import type { StepId } from '../../src/domain/steps';
import { hashesOfKept } from '../../src/execution/dependents';
import { readEpisodeView } from '../../src/execution/episode-view';
import type { EpisodeRef } from '../../src/operations/contract';
import { STEPS } from '../../src/pipeline/manifest';
import { keptItems } from '../../src/store/items';
import { markStale } from '../../src/store/stale-marks';
import type { TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { bodyOf, marksOf, patchRow, statusesOf } from '../support/studio-reads';
import { QueryGate } from '../support/query-gate';
import { runStudio, type StudioRun } from '../support/studio-run';

/** The editor changes a prompt while a step after it runs in another run: whatever was made from the words of before is looked at again. */
const EDITOR: StepId = 't2i_review';
const DRAWS: StepId = 'scene_image_pipeline';

let database: TestDatabase;
let studio: Studio;
/** Finished; its review corrected the first shot. */
let finished: EpisodeRef;
let shot: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openFinishedStudio({ corrected: true });
  ({ database, studio, finished, close } = opened);
  shot = opened.shots[0]!;
});
afterAll(() => close());

interface CallInHand {
  release(): void;
  /** The run that it belongs to. */
  readonly ended: Promise<StudioRun>;
}

let episode: EpisodeRef;
const inHand: CallInHand[] = [];
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
});
afterEach(async () => {
  for (const call of inHand.splice(0)) {
    call.release();
    await call.ended;
  }
});

const redo = (by = studio) => runStudio(by, episode, { steps: [DRAWS], items: { [DRAWS]: [shot] } });
const marked = async () =>
  (await marksOf(database.db, episode)).flatMap((mark) => (mark.startsWith(`${DRAWS}:`) ? [mark.split(':')[1]!] : []));

/** The first shot is asked anew, and its answer waits. */
async function redoInHand(): Promise<CallInHand> {
  const arrived = studio.hold(DRAWS);
  const ended = redo();
  const call = { ...(await arrived), ended };
  inHand.push(call);
  return call;
}

/** The editor corrects the first shot again. */
async function edit(): Promise<void> {
  await patchRow(database.db, episode, EDITOR, { status: 'failed' });
  studio.answer(EDITOR, () => ({
    corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected again', reason: 'Still wrong.' }],
  }));
  try {
    expect((await runStudio(studio, episode, { steps: [EDITOR] })).ends).toEqual({ [EDITOR]: 'completed' });
  } finally {
    studio.answer(EDITOR, null);
  }
}

/** The whole episode is run: every picture is of the words that stand now, and no mark is left. */
async function runsToTheEnd(): Promise<void> {
  await runStudio(studio, episode);
  const view = await readEpisodeView(database.db, episode.projectId, episode.episodeId);
  const hashes = hashesOfKept(STEPS[DRAWS], view.inputs);
  const kept = await keptItems(database.db, { ...episode, stepId: DRAWS });
  const outdated = [...kept.values()].filter((item) => item.requestHash !== hashes?.get(item.itemId));
  expect([outdated, await marksOf(database.db, episode)]).toEqual([[], []]);
  expect(await statusesOf(database.db, episode)).toMatchObject({ [DRAWS]: 'completed' });
}

it('marks a picture whose call is in flight, though nothing is kept of it', async () => {
  const call = await redoInHand();
  await edit();
  expect(await marked()).toContain(shot);
  call.release();
  expect((await call.ended).ends).toEqual({ [DRAWS]: 'partial' });
  await runsToTheEnd();
});

it('makes a standing mark anew, so that the answer to the older request does not take it away', async () => {
  await database.db.transaction().execute((tx) => markStale(tx, { ...episode, stepId: DRAWS }, 'force', null, [shot]));
  await patchRow(database.db, episode, DRAWS, { status: 'stale' });
  const call = await redoInHand();
  await edit();
  call.release();
  expect((await call.ended).ends).toEqual({ [DRAWS]: 'partial' });
  expect(await marked()).toContain(shot);
  await runsToTheEnd();
});

it('marks all where nobody can tell what reads the change, and what is in flight is looked at, too', async () => {
  const call = await redoInHand();
  const body = await bodyOf<{ backgrounds: unknown[] }>(database.db, episode, 'background_render');
  await database.db
    .updateTable('checkpoint')
    .set({ body: JSON.stringify({ ...body, backgrounds: body.backgrounds.slice(1) }) })
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', 'background_render')
    .execute();
  await edit();
  expect(await marked()).toEqual(['*']);
  call.release();
  expect((await call.ended).ends).toEqual({ [DRAWS]: 'partial' });
  await runsToTheEnd();
});

it('and a step that ends at the same moment: it ends before the edit, or finds the marks', async () => {
  const call = await redoInHand();
  const other = new Client({ connectionString: database.url });
  await other.connect();
  try {
    // The editor's transaction comes to its last writes, and waits there.
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO checkpoint (project_id, episode_id, step_id, version, schema_version, config_hashes, body, status, written_by)
       SELECT project_id, episode_id, step_id, version + 1, schema_version, config_hashes, body, status, 'other' FROM checkpoint
       WHERE project_id = $1 AND step_id = $2 ORDER BY version DESC LIMIT 1`,
      [episode.projectId, EDITOR],
    );
    const waiting = async () =>
      (
        await other.query(
          'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
        )
      ).rowCount!;
    const edited = edit();
    await eventually('the editor waits', async () => (await waiting()) > 0);
    call.release();
    await eventually(
      'the step waits for the editor, or has ended',
      async () => (await waiting()) > 1 || (await statusesOf(database.db, episode))[DRAWS] !== 'running',
    );
    await other.query('ROLLBACK');
    await edited;
  } finally {
    await other.end();
  }
  expect((await call.ended).ends).toEqual({ [DRAWS]: 'partial' });
  await runsToTheEnd();
});

it('and a step that is reading what it starts from: its marks first, so that none is newer than what it draws from', async () => {
  const gate = new QueryGate(['stale_mark', 'context_ai_state'], () =>
    studio.deps.registry.all().some(({ held, state }) => state === 'held' && held.stepId === DRAWS),
  );
  const gated: Studio = { ...studio, deps: { ...studio.deps, db: database.db.withPlugin(gate) } };
  const drawing = redo(gated);
  await gate.reached;
  await edit();
  gate.open();
  await drawing;
  await runsToTheEnd();
});

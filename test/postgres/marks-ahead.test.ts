import type { StepId } from '../../src/domain/steps';
import type { Stop } from '../../src/domain/stop';
import { hashesOfKept } from '../../src/execution/dependents';
import { readEpisodeView } from '../../src/execution/episode-view';
import type { EpisodeRef } from '../../src/operations/contract';
import { toggleShot } from '../../src/operations/toggle-shot';
import { STEPS } from '../../src/pipeline/manifest';
import { archiveItems, keptItems } from '../../src/store/items';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { marksOf, patchRow } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/**
 * A force of items marks what reads them when it is claimed, before anything has changed. Until the change has come, an unchanged
 * request proves nothing, and the marks stay (spec 20 "Items").
 */
const FORCED: StepId = 'shot_dependency_t2i';
const DRAWS: StepId = 'scene_image_pipeline';

let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let shots: readonly string[];
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, studio, finished, shots, close } = await openFinishedStudio());
});
afterAll(() => close());

let episode: EpisodeRef;
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
  studio.soldSince();
});
afterEach(() => studio.answer(FORCED, null));

const force = { steps: [FORCED], items: { [FORCED]: ['all'] } };
const redo = (shot: string) => ({ steps: [DRAWS], items: { [DRAWS]: [shot] } });
const CANCELLED = { stop: (): Stop => ({ why: 'cancelled' }) };
const marked = async () =>
  (await marksOf(database.db, episode)).flatMap((mark) => (mark.startsWith(`${DRAWS}:`) ? [mark.split(':')[1]!] : []));

/** Kept pictures that were asked for by another request than would be made now. */
async function outdated(): Promise<readonly string[]> {
  const view = await readEpisodeView(database.db, episode.projectId, episode.episodeId);
  const hashes = hashesOfKept(STEPS[DRAWS], view.inputs);
  const kept = await keptItems(database.db, { ...episode, stepId: DRAWS });
  return [...kept.values()].filter((item) => item.requestHash !== hashes?.get(item.itemId)).map((item) => item.itemId);
}

/** The force is claimed, and cancelled before its call has left; whenever it is asked, it will bring other dependencies. */
async function forceAndCancel(): Promise<void> {
  expect((await runStudio(studio, episode, { ...force, ...CANCELLED })).ends).toEqual({ [FORCED]: 'cancelled' });
  studio.answer(FORCED, () => ({ dependencies: [] }));
}

/** The whole episode is run: every picture is of what the force has brought, and no mark is left. */
async function runsToTheEnd(): Promise<void> {
  expect((await runStudio(studio, episode)).ends).toMatchObject({ [FORCED]: 'completed', [DRAWS]: 'completed' });
  expect([await outdated(), await marksOf(database.db, episode)]).toEqual([[], []]);
}

it('beside a force that was cancelled, a redo takes no mark away, its own neither, and all are drawn once it has come', async () => {
  await forceAndCancel();
  const { ends } = await runStudio(studio, episode, redo(shots[1]!));
  expect(ends).toEqual({ [DRAWS]: 'partial' });
  expect(studio.soldSince()).toEqual({ [DRAWS]: [shots[1]] });
  expect(await marked()).toEqual([...shots].sort());
  const row = await database.db
    .selectFrom('step_run')
    .select('error_message')
    .where('project_id', '=', episode.projectId)
    .where('step_id', '=', DRAWS)
    .executeTakeFirstOrThrow();
  expect(row.error_message).toContain(`${FORCED}, upstream, is not finished`);
  await runsToTheEnd();
  expect(studio.soldSince()[DRAWS]).not.toBeUndefined();
});

it('beside a force whose call is in flight, a redo draws from the old prompt, and that shot is looked at again, too', async () => {
  const arrived = studio.hold(FORCED);
  const forced = runStudio(studio, episode, force);
  const call = await arrived;
  studio.answer(FORCED, () => ({ dependencies: [] }));
  await runStudio(studio, episode, redo(shots[1]!));
  call.release();
  expect((await forced).ends).toEqual({ [FORCED]: 'completed' });
  expect(await marked()).toEqual([...shots].sort());
  await runsToTheEnd();
});

it('a shot that has no picture yet is marked as well: it may be drawn before the change has come', async () => {
  expect((await runStudio(studio, episode, { ...redo(shots[1]!), ...CANCELLED })).ends).toEqual({
    [DRAWS]: 'cancelled',
  });
  await forceAndCancel();
  expect((await runStudio(studio, episode, { steps: [DRAWS] })).ends).toEqual({ [DRAWS]: 'partial' });
  await runsToTheEnd();
});

it('a finished step is not made stale by what reads the change and was never drawn', async () => {
  await toggleShot(studio.deps, { ...episode, shotId: shots[1]!, on: false, by: 'test' });
  await runStudio(studio, episode);
  await database.db.transaction().execute((tx) => archiveItems(tx, { ...episode, stepId: DRAWS }, [shots[1]!]));
  await runStudio(studio, episode, force);
  expect(await marked()).toEqual(shots.filter((shot) => shot !== shots[1]).sort());
});

it('the picture of a shot that is off keeps its mark, and stays kept, until the change has come', async () => {
  await toggleShot(studio.deps, { ...episode, shotId: shots[1]!, on: false, by: 'test' });
  await forceAndCancel();
  await runStudio(studio, episode, redo(shots[0]!));
  expect(await marked()).toContain(shots[1]);
  expect((await keptItems(database.db, { ...episode, stepId: DRAWS })).has(shots[1]!)).toBe(true);
  await runsToTheEnd();
});

it('the mark of a switch goes all the same: it has happened', async () => {
  await patchRow(database.db, episode, 't2i_review', { status: 'stale' });
  await toggleShot(studio.deps, { ...episode, shotId: shots[1]!, on: false, by: 'test' });
  expect((await runStudio(studio, episode, { steps: [DRAWS] })).ends).toEqual({ [DRAWS]: 'completed' });
  expect(await marked()).toEqual([]);
});

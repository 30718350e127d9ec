import { CANCEL_SIGNAL } from '../../src/domain/names';
import { cancel } from '../../src/operations/cancel';
import type { EpisodeRef, StartAnswer } from '../../src/operations/contract';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/history-file';
import { openStage, quietRuntime, type Stage } from '../support/stage';
import { openStudio, type Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { patchRow } from '../support/studio-reads';
import { openTestTemporal, type TestTemporal } from '../support/temporal';
import { killAndTakeOver } from '../support/killed-worker';

/**
 * Records test/replay/histories anew, from a real server: `npm run histories` (see docs/changing-workflows.md). Each is named for
 * the behaviour that it protects. A history of a released version stays; a changed workflow gets another one beside it.
 */
let database: TestDatabase;
let temporal: TestTemporal;
let studio: Studio;
let stage: Stage;
let finished: EpisodeRef;
beforeAll(async () => {
  quietRuntime();
  [database, temporal] = await Promise.all([createTestDatabase(), openTestTemporal()]);
  studio = await openStudio(database.db);
  stage = await openStage(studio.deps, temporal);
}, 120_000);
afterAll(async () => {
  await stage.close();
  await studio.close();
  await temporal.close();
  await database.drop();
});

async function record(name: string, answer: StartAnswer): Promise<void> {
  await stage.closed(answer);
  await recordHistory(temporal.address, name, { workflowId: answer.workflowId, runId: answer.runId! });
}

it('run-all, with an editor step that is handed over', async () => {
  studio.answer('t2i_review', () => ({
    corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected', reason: 'It was wrong.' }],
  }));
  finished = await studio.episode();
  await record('run-all-with-editor-handover', await stage.start(finished));
  studio.answer('t2i_review', null);
});

it('nothing to run, one step, a refused start', async () => {
  await record('nothing-to-run', await stage.start(finished));
  const shots = await copyEpisode(database.db, finished);
  await record(
    'single-step-forced',
    await stage.start({ ...shots, steps: ['floor_plan_render'], force: ['floor_plan_render'] }),
  );
  const blocked = await copyEpisode(database.db, finished);
  await patchRow(database.db, blocked, 'scene_detail', {
    status: 'running',
    owner_host: 'elsewhere',
    owner_boot_id: 'another-boot',
    heartbeat_at: 'last Tuesday',
  });
  await record('blocked-at-the-start', await stage.start(blocked));
});

it('a failed step holds back what needs it', async () => {
  studio.answer('scene_detail', () => ({ variations: 'none' }));
  await record('failed-step-holds-back-what-needs-it', await stage.start(await studio.episode()));
  studio.answer('scene_detail', null);
});

it('cancelled by the operation, by the signal for one step, by Temporal', async () => {
  const byOperation = await studio.episode();
  const held = studio.hold('shot_selection');
  const all = await stage.start(byOperation);
  const call = await held;
  await cancel(stage.deps, { ...byOperation, by: 'test' });
  await cancel(stage.deps, { ...byOperation, by: 'test' });
  call.release();
  await record('cancel-all-keeps-the-call-in-flight', all);

  const shown = await studio.episode();
  const heldFirst = studio.hold('world_guide');
  const cancelling = await stage.start(shown);
  const first = await heldFirst;
  await cancel(stage.deps, { ...shown, by: 'test' });
  await eventually('the cancel is shown', async () => {
    const { searchAttributes } = await stage.client.workflow
      .getHandle(cancelling.workflowId, cancelling.runId!)
      .describe();
    return searchAttributes['CallsheetState']?.[0] === 'cancelling';
  });
  first.release();
  await record('cancelling-is-shown', cancelling);

  const ofOneStep = await studio.episode();
  const heldGuide = studio.hold('world_guide');
  const one = await stage.start(ofOneStep);
  const guide = await heldGuide;
  await stage.client.workflow
    .getHandle(one.workflowId, one.runId!)
    .signal(CANCEL_SIGNAL, { step: 'scene_detail', by: 'test' });
  guide.release();
  await record('cancel-of-a-step-ahead', one);

  const byTemporal = await studio.episode();
  const heldAgain = studio.hold('world_guide');
  const third = await stage.start(byTemporal);
  const flying = await heldAgain;
  await stage.client.workflow.getHandle(third.workflowId, third.runId!).cancel();
  await eventually('the cancel stands in the ledger', async () => {
    const cancels = await database.db
      .selectFrom('run_cancel')
      .selectAll()
      .where('workflow_run_id', '=', third.runId!)
      .execute();
    return cancels.length > 0;
  });
  flying.release();
  await record('cancel-by-temporal-closes-as-cancelled', third);
});

it('handed back at a shutdown, and taken up by the next attempt', async () => {
  const held = studio.hold('world_guide');
  const answer = await stage.start(await studio.episode());
  const call = await held;
  stage.shutdown.requested = true;
  call.release();
  await eventually('an attempt has handed the step back', async () => {
    const row = await database.db
      .selectFrom('step_run')
      .select('last_recovery_reason')
      .where('workflow_run_id', '=', answer.runId!)
      .where('step_id', '=', 'entity_t2i')
      .executeTakeFirst();
    return row?.last_recovery_reason?.startsWith('handed back: shutdown');
  });
  stage.shutdown.requested = false;
  await record('handed-back-at-a-shutdown', answer);
});

it('the closing waits while nobody can tell whether a row of the run has an owner', async () => {
  const episode = await copyEpisode(database.db, finished);
  const held = studio.hold('world_guide');
  const answer = await stage.start({ ...episode, steps: ['world_guide'], force: ['world_guide'] });
  const call = await held;
  await patchRow(database.db, episode, 'shot_selection', {
    status: 'running',
    workflow_run_id: answer.runId,
    owner_host: 'elsewhere',
    owner_boot_id: 'another-boot',
    heartbeat_at: 'last Tuesday',
  });
  call.release();
  await eventually('it has waited twice', async () => {
    const { events } = await stage.client.workflow.getHandle(answer.workflowId, answer.runId!).fetchHistory();
    return (events ?? []).filter((event) => event.timerFiredEventAttributes).length >= 2;
  });
  await patchRow(database.db, episode, 'shot_selection', { status: 'failed' });
  await record('closing-waits-for-a-row-in-doubt', answer);
}, 120_000);

it('taken over after kill -9 of the worker', async () => {
  const episode = await studio.episode();
  const run = await killAndTakeOver({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    artifactDir: studio.artifactDir,
    episode,
  });
  await recordHistory(temporal.address, 'takeover-after-kill', run);
}, 120_000);

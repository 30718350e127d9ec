import type { StepRun } from '../../src/db/tables';
import { CONTAINER_NAME, openContainerHost, whyNoContainers, type ContainerHost } from '../support/container';
import { eventually } from '../support/eventually';
import { startRunIn, type WorldRun } from '../support/world-run';
import { openWorld, type World } from '../support/world';

/** Containers with one host name (spec 10 "Same host"; cases C01): a pid of one says nothing in the other. The lease is 3 s. */
const LEASE_MS = 3_000;
const why = whyNoContainers();
const inContainers = why === null ? test : test.skip;
/** The owner dies in the middle of its call. */
const ENDLESS = { CALLSHEET_OFFLINE_DELAY_MS: '600000' };
/** The other container starts, looks and judges meanwhile. */
const SLOW = { CALLSHEET_OFFLINE_DELAY_MS: '15000' };

let world: World;
let host: ContainerHost;

beforeEach(async () => {
  world = await openWorld();
  host = await openContainerHost(world);
});

afterEach(async () => {
  host.close();
  await world.close();
});

/** The run of one container, in the middle of a call. */
async function heldStep(): Promise<{ run: WorldRun; row: StepRun }> {
  const run = await startRunIn(world, 'p1', { steps: ['world_guide'] });
  const row = await run.until('the step is held', 'world_guide', ({ status }) => status === 'running');
  expect(row.owner_host).toBe(CONTAINER_NAME);
  return { run, row };
}

/** The attempt that took a dead owner's row: when, by the database's clock, in ms since 1970. */
async function takenAtMs(run: WorldRun): Promise<number> {
  const decision = await world.db
    .selectFrom('step_decision')
    .select('at')
    .where('project_id', '=', run.projectId)
    .where('step_id', '=', 'world_guide')
    .where('made_by', '=', 'attempt')
    .where('action', '=', 'stale_running_recovery')
    .executeTakeFirstOrThrow();
  return Date.parse(decision.at);
}

inContainers(
  `no false death: a live owner whose pid the other container has not keeps its row${why === null ? '' : ` (${why})`}`,
  async () => {
    await host.worker({ first: false, env: SLOW }).ready();
    const { run, row } = await heldStep();
    expect(row.owner_pid).toBeGreaterThan(400);
    const other = await host.worker({ first: true }).ready();
    expect(await run.row('world_guide')).toMatchObject({ status: 'running', run_id: row.run_id }); // after its start-up reclaim
    await eventually('the step has ended', async () => (await run.row('world_guide'))!.status !== 'running');

    const after = (await run.row('world_guide'))!;
    expect(after).toMatchObject({
      status: 'completed',
      run_id: row.run_id,
      owner_host_id: row.owner_host_id,
      recovery_count: 0,
    });
    expect(other.hasLogged('owner process gone')).toBeUndefined();
    expect(await run.ended()).toBe('done');
  },
);

inContainers(
  'no false life: pid 1 of the other container is not the owner, and the row is taken once the lease is over',
  async () => {
    const owner = await host.worker({ first: true, env: ENDLESS }).ready();
    const { run, row } = await heldStep();
    expect(row.owner_pid).toBe(1);
    await host.worker({ first: true }).ready();
    await owner.kill();
    const last = (await run.row('world_guide'))!;
    const after = await run.until('another one has taken it', 'world_guide', ({ run_id }) => run_id !== row.run_id);
    expect(after).toMatchObject({ owner_host: CONTAINER_NAME, owner_pid: 1 });
    expect(after.owner_host_id).not.toBe(row.owner_host_id);
    expect((await takenAtMs(run)) - Date.parse(last.heartbeat_at!)).toBeGreaterThan(LEASE_MS);
  },
);

inContainers(
  'a container that starts again with the same name, pid and fingerprint waits out the lease of its own old row',
  async () => {
    const same = { CALLSHEET_HOST_ID: 'one-machine' };
    const owner = await host.worker({ first: true, env: { ...ENDLESS, ...same } }).ready();
    const { run, row } = await heldStep();
    await owner.kill();
    const last = (await run.row('world_guide'))!;
    await host.worker({ first: true, env: same }).ready();
    const after = await run.until('it has taken it', 'world_guide', ({ run_id }) => run_id !== row.run_id);
    expect(after).toMatchObject({ owner_host: CONTAINER_NAME, owner_pid: 1, owner_host_id: 'one-machine' });
    expect(after.owner_boot_id).not.toBe(row.owner_boot_id);
    expect((await takenAtMs(run)) - Date.parse(last.heartbeat_at!)).toBeGreaterThan(LEASE_MS);
  },
);

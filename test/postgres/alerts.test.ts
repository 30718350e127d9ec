import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Door } from '../../src/http/door';
import { metricsText } from '../../src/http/metrics-text';
import { STEPS } from '../../src/pipeline/manifest';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { openStudio, type Studio } from '../support/studio';
import { patchRow } from '../support/studio-reads';
import { runStudio } from '../support/studio-run';

/** Counters and alert rules (spec 20 "Before the first deployment, and after"). */
const RULES = readFileSync(path.join(__dirname, '../../deploy/prometheus-alerts.yml'), 'utf8');
const exprs = [...RULES.matchAll(/alert: (\w+)\n\s+expr: (.+)/g)].map(([, name, expr]) => ({
  name: name!,
  expr: expr!,
}));

let database: TestDatabase;
let studio: Studio;
beforeAll(async () => {
  database = await createTestDatabase();
  studio = await openStudio(database.db);
});
afterAll(async () => {
  await studio.close();
  await database.drop();
});

async function metrics(): Promise<string> {
  const door = {
    operations: {
      db: database.db,
      locks: () => Promise.resolve({ locks: [] }),
      rescan: { metrics: () => Promise.resolve('') },
    },
    metrics: { text: () => Promise.resolve('') },
    leaseSeconds: 90,
    stepRunningTimeoutSeconds: 3600,
  };
  return metricsText(door as unknown as Door);
}

/** The value of a series; 0 where there is none. */
async function valueOf(code: string, at: string): Promise<number> {
  const line = (await metrics())
    .split('\n')
    .find(
      (one) =>
        one.startsWith('callsheet_blocks_total{') && one.includes(`code="${code}"`) && one.includes(`at="${at}"`),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

it('every rule names a metric that there is, and its labels', async () => {
  const text = await metrics();
  expect(exprs).toHaveLength(4);
  for (const { expr } of exprs)
    for (const [name] of expr.matchAll(/callsheet_\w+/g)) expect(text).toContain(`# TYPE ${name} `);
});

it('the thresholds are those of the specification, each at or above the number', () => {
  expect(Object.fromEntries(exprs.map(({ name, expr }) => [name, />= (\d+)$/.exec(expr)?.[1]]))).toEqual({
    CallsheetResumeBlocked: '5',
    CallsheetVerifyCrashed: '1',
    CallsheetAlreadyRunningAtClaim: '3',
    CallsheetDeadOverLease: '1',
  });
  expect(exprs.filter(({ expr }) => expr.includes('offset 1h'))).toHaveLength(3);
  expect(exprs.find(({ name }) => name === 'CallsheetAlreadyRunningAtClaim')!.expr).toContain('at="claim"');
});

describe('what happens is counted when it happens', () => {
  it('a refused start counts once as a decision, and not as a claim', async () => {
    const episode = await studio.episode();
    await runStudio(studio, episode, { steps: ['world_guide'] });
    await patchRow(database.db, episode, 'world_guide', {
      status: 'running',
      owner_boot_id: 'another',
      owner_host: 'elsewhere',
      heartbeat_at: 'last Tuesday',
    });
    const before = await valueOf('step.resume_blocked', 'decision');
    expect((await runStudio(studio, episode)).opened).toMatchObject({
      outcome: 'blocked',
      code: 'step.resume_blocked',
    });
    expect(await valueOf('step.resume_blocked', 'decision')).toBe(before + 1);
    expect(await valueOf('step.resume_blocked', 'claim')).toBe(0);
  });

  it('a verifier that crashes on the way out counts, fails the step, and saves no checkpoint', async () => {
    const crash = { ...STEPS.world_guide, verify: () => Promise.reject(new RangeError('a bug of the verifier')) };
    const broken = { ...studio, deps: { ...studio.deps, steps: { ...STEPS, world_guide: crash } } };
    const episode = await studio.episode();
    const run = await runStudio(broken, episode, { steps: ['world_guide'] });
    expect(run.ends).toEqual({ world_guide: 'failed' });
    expect(await valueOf('step.verify_crashed', 'exit')).toBe(1);
    expect(
      await database.db.selectFrom('checkpoint').selectAll().where('project_id', '=', episode.projectId).execute(),
    ).toEqual([]);
  });

  it('a verifier that crashes on entry counts as a decision, and the row stays as it was', async () => {
    const episode = await studio.episode();
    await runStudio(studio, episode, { steps: ['world_guide'] });
    const crash = { ...STEPS.world_guide, verify: () => Promise.reject(new RangeError('a bug of the verifier')) };
    const broken = { ...studio, deps: { ...studio.deps, steps: { ...STEPS, world_guide: crash } } };
    const before = await database.db
      .selectFrom('step_run')
      .selectAll()
      .where('project_id', '=', episode.projectId)
      .execute();
    expect((await runStudio(broken, episode, { steps: ['world_guide'] })).opened).toMatchObject({
      code: 'step.verify_crashed',
    });
    expect(await valueOf('step.verify_crashed', 'decision')).toBe(1);
    expect(
      await database.db.selectFrom('step_run').selectAll().where('project_id', '=', episode.projectId).execute(),
    ).toEqual(before);
  });
});

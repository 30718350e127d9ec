import fs from 'node:fs';
import path from 'node:path';
import { cancelBody } from '../../src/bodies/cancel';
import { locksBody } from '../../src/bodies/locks';
import { planBody } from '../../src/bodies/plan';
import { problemBody } from '../../src/bodies/problem';
import { purchasesBody, type PurchasesBody } from '../../src/bodies/purchases';
import { runBody } from '../../src/bodies/run';
import { statusBody } from '../../src/bodies/status';
import { STEP_IDS } from '../../src/domain/steps';
import { CliProcess, callsheet, callsheetJson } from './cli-process';
import { HomeMaker, childrenOf, temporalForTests, untilAllGone } from './stack-commands';

/** Wide enough for a busy machine; nothing here is measured by it. */
jest.setTimeout(10 * 60_000);

/** Slow enough that a run can be met in its middle. */
const SLOW = { CALLSHEET_OFFLINE_DELAY_MS: '400' };

const SCRIPT =
  'Title: Kettle\n\nINT. KITCHEN - NIGHT\n\nMARA lifts the kettle.\n\nMARA\nTea?\n\nEXT. HARBOUR - DAWN\n\nGulls over grey water. JONAS waits.\n';

let maker: HomeMaker;
let home: string;
let commands: CliProcess[] = [];

beforeAll(async () => {
  // The first time the server may have to be built.
  await temporalForTests();
  maker = await HomeMaker.prepare();
}, 30 * 60_000);
afterAll(() => maker.remove());
beforeEach(() => {
  home = maker.make();
  fs.writeFileSync(path.join(home, 'kettle.fountain'), SCRIPT);
});
afterEach(async () => {
  for (const command of commands.reverse()) {
    command.signal('SIGTERM');
    await command.ended;
  }
  commands = [];
  await untilAllGone(childrenOf(home));
  fs.rmSync(home, { recursive: true, force: true });
});

async function start(...argv: string[]): Promise<CliProcess> {
  return startWith(SLOW, ...argv);
}

async function startWith(environment: typeof SLOW, ...argv: string[]): Promise<CliProcess> {
  const command = await CliProcess.start(home, argv, environment);
  commands.push(command);
  return command;
}

async function purchases(): Promise<PurchasesBody> {
  return purchasesBody.parse((await callsheetJson(home, ['purchases', '--episode', 'kettle'])).body);
}

/** No request was answered twice for money: each settled purchase of a step has a request of its own. */
function expectNothingBoughtTwice({ purchases: bought }: PurchasesBody): void {
  const settled = bought
    .filter((purchase) => purchase.status === 'settled')
    .map((purchase) => `${purchase.stepId} ${purchase.requestHash}`);
  expect(settled.filter((one, index) => settled.indexOf(one) !== index)).toEqual([]);
}

test('a run ends with the two paths of the contact sheet; a second one skips nine steps and buys nothing', async () => {
  const first = await callsheet(home, ['run', 'kettle.fountain']);
  expect(first).toMatchObject({ code: 0 });
  const [html = '', png = ''] = first.out.trimEnd().split('\n').slice(-2);
  expect([path.extname(html), path.extname(png)]).toEqual(['.html', '.png']);
  expect([html, png].map((file) => fs.statSync(path.resolve(home, file)).size > 0)).toEqual([true, true]);
  expect(first.out).not.toContain('\u001b');
  for (const step of STEP_IDS) expect(first.out).toMatch(new RegExp(`^${step} +run +\\S`, 'm'));

  // Kept running by `up`, so that what follows joins it and starts nothing.
  const kept = await start('up');
  await kept.said(/Ctrl-C ends it/);
  const bought = await purchases();
  const second = await callsheetJson(home, ['run', 'kettle.fountain']);
  expect(second.code).toBe(0);
  const run = runBody.parse(second.body);
  expect(run.decisions.map(({ stepId, action }) => `${stepId} ${action}`)).toEqual(
    STEP_IDS.map((step) => `${step} skip`),
  );
  expect(await purchases()).toEqual(bought);

  const status = statusBody.parse((await callsheetJson(home, ['status'])).body);
  expect({
    state: status.state,
    statuses: new Set(status.steps.map((step) => step.status)),
    costUsd: status.costUsd,
  }).toEqual({ state: 'done', statuses: new Set(['completed']), costUsd: bought.costUsd });
  const plan = planBody.parse((await callsheetJson(home, ['plan'])).body);
  expect({ actions: new Set(plan.steps.map((step) => step.action)), calls: plan.calls }).toEqual({
    actions: new Set(['skip']),
    calls: 0,
  });
  expect(locksBody.parse((await callsheetJson(home, ['locks', '--all'])).body).locks).toEqual([]);
  expect(problemBody.parse((await callsheetJson(home, ['cancel', 'scene_detail'])).body).code).toBe('step.not_running');
});

test('Ctrl-C stops in order with 130; the next command attaches to the open run and finishes it, buying nothing twice', async () => {
  const first = await start('run', 'kettle.fountain');
  await first.said(/^scene_detail running/m);
  first.signal('SIGINT');
  const stopped = await first.ended;
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain('the run goes on at the next start');
  expect(fs.existsSync(path.join(home, 'stack.json'))).toBe(false);

  const second = await callsheet(home, ['run', 'kettle.fountain']);
  expect(second.out).toContain('An open run was found (episode/local/kettle)');
  expect(second.code).toBe(0);
  expectNothingBoughtTwice(await purchases());
});

test('a cancel without a stack is written before any worker: of a killed run not one more call leaves, and it ends cancelled', async () => {
  const run = await startWith({ CALLSHEET_OFFLINE_DELAY_MS: '10000' }, 'run', 'kettle.fountain');
  await run.said(/^world_guide completed/m);
  const children = childrenOf(home);
  run.signal('SIGKILL');
  await untilAllGone(children);
  const before = await purchases();

  // A worker that came first would buy all that is left at once: nothing slows its calls.
  const cancel = await callsheetJson(home, ['cancel']);
  expect(cancel.code).toBe(0);
  expect(cancelBody.parse(cancel.body)).not.toHaveProperty('warning');
  const sent = ({ purchases: bought }: PurchasesBody) => bought.map(({ id, sentAt }) => `${id} ${sentAt}`);
  expect(sent(await purchases())).toEqual(sent(before));
  expect(statusBody.parse((await callsheetJson(home, ['status'])).body).state).toBe('cancelled');
});

test('beside an open run: the same command attaches, another one is refused with 3; when the first is killed, the attached one goes on alone', async () => {
  // Each call of the first one takes so long that its run is open until it is killed; the one that goes on alone is quick.
  const first = await startWith({ CALLSHEET_OFFLINE_DELAY_MS: '10000' }, 'run', 'kettle.fountain');
  await first.said(/^world_guide completed/m);
  const attached = await start('run', 'kettle.fountain');
  await attached.said(/An open run was found/);

  const forced = await callsheetJson(home, ['run', 'kettle.fountain', '--force', 'world_guide']);
  expect({ code: forced.code, problem: problemBody.parse(forced.body).code }).toEqual({
    code: 3,
    problem: 'run.already_running',
  });
  fs.writeFileSync(path.join(home, 'kettle.txt'), `${SCRIPT}\nMARA\nMore tea.\n`);
  const changed = await callsheet(home, ['run', 'kettle.txt']);
  expect(changed.code).toBe(3);
  expect(changed.err).toContain('error run.already_running');

  first.signal('SIGKILL');
  await attached.said(/starting an own one, and attaching again/);
  const ended = await attached.ended;
  expect(ended.code).toBe(0);
  expectNothingBoughtTwice(await purchases());
});

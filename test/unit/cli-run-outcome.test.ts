import { problemBody } from '../../src/bodies/problem';
import { main } from '../../src/cli/main';
import type { OpenedOperations } from '../../src/cli/dependencies';
import type { OpenRun, StartAnswer } from '../../src/operations/contract';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

/** `callsheet run` where the start is answered like this. */
async function run(answer: Partial<StartAnswer>, open: OpenRun | null = null, ...options: string[]) {
  const operations = {
    openRunOf: () => Promise.resolve(open),
    startRun: () =>
      Promise.resolve({ workflowId: 'episode/local/e1', runId: null, url: null, decisions: [], ...answer }),
    close: () => Promise.resolve(),
  } as unknown as OpenedOperations;
  const dependencies = cliDependencies({
    openStack: () => Promise.resolve(stackDouble().stack),
    openOperations: () => Promise.resolve(operations),
  });
  const double = terminalDouble({ json: true });
  const code = await main(['run', '--episode', 'e1', '--json', ...options], double.streams, dependencies);
  return { code, problem: problemBody.parse(JSON.parse(double.out())), err: double.err() };
}

test('a queued start is never told as done, although its run id is not known', async () => {
  const { code, problem, err } = await run({ outcome: 'queued' });
  expect({ code, problem: problem.code }).toEqual({ code: 1, problem: 'temporal.unavailable' });
  expect(err).not.toContain('Nothing to run');
});

test.each(['step.verify_crashed', 'step.resume_blocked', 'plan.outdated'] as const)(
  'a start that %s refuses ends with 3',
  async (code) => {
    expect(await run({ outcome: 'blocked', code, reason: 'so' })).toMatchObject({ code: 3, problem: { code } });
  },
);

test('a refused start has the members that the same answer of the API has', async () => {
  const { problem } = await run({
    outcome: 'blocked',
    code: 'plan.outdated',
    differences: ['the settings'],
    inTheWay: { workflowId: 'w', workflowRunId: 'r', url: null },
  });
  expect(problem).toMatchObject({
    decisions: [],
    differences: ['the settings'],
    run: { workflowId: 'w', runId: 'r', url: null },
  });
});

test('beside an open run a command that asks for something else is refused with 3, and that run is named', async () => {
  const open = { workflowId: 'episode/local/e1', workflowRunId: 'r1', requestId: 'another', state: 'open' };
  expect(await run({}, open, '--force', 'scene_detail')).toMatchObject({
    code: 3,
    problem: { code: 'run.already_running', run: { workflowId: 'episode/local/e1', runId: 'r1', url: null } },
  });
});

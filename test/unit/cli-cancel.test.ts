import { main } from '../../src/cli/main';
import type { OpenOperationsOptions, OpenStackOptions, OpenedOperations } from '../../src/cli/dependencies';
import { AppError } from '../../src/domain/errors';
import type { CancelAnswer } from '../../src/operations/contract';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

const IN_LEDGER: CancelAnswer = {
  state: 'requested',
  steps: ['scene_detail', 't2i_review'],
  runs: ['r1'],
  warning: 'Temporal is not running here.',
};

const nothingRuns = () => new AppError('step.not_running', 'Nothing of e1 is running or waiting.');

/** `callsheet cancel` where each opened stack is of this command or joined, and each cancel is answered in turn. */
async function cancelled(
  answers: readonly (CancelAnswer | AppError)[],
  { joined = false, environment = {} }: { joined?: boolean; environment?: Record<string, string> } = {},
) {
  const order: string[] = [];
  const left = [...answers];
  const operations = {
    cancel: () => {
      order.push('cancel');
      const next = left.shift();
      if (next === undefined) throw new Error('One cancel too many.');
      return next instanceof AppError ? Promise.reject(next) : Promise.resolve(next);
    },
    close: () => Promise.resolve(),
  };
  const dependencies = cliDependencies(
    {
      openStack: ({ need }: OpenStackOptions) => {
        order.push(need);
        const stop = () => Promise.resolve(void order.push('stop'));
        return Promise.resolve(stackDouble({ joined: need === 'everything' || joined, stop }).stack);
      },
      openOperations: (_: OpenOperationsOptions) => Promise.resolve(operations as unknown as OpenedOperations),
    },
    environment,
  );
  const double = terminalDouble();
  const code = await main(['cancel', '--episode', 'e1', '--json'], double.streams, dependencies);
  return { code, order, body: JSON.parse(double.out()) as unknown, err: double.err() };
}

test('the cancel is written with the database alone open, and only then is anything started for the run to end', async () => {
  const { code, order, body, err } = await cancelled([
    IN_LEDGER,
    { state: 'requested', steps: [], runs: ['r1', 'r2'] },
  ]);
  expect(order).toEqual(['database', 'cancel', 'stop', 'everything', 'cancel', 'stop']);
  // One answer, without the warning that is no longer true.
  expect(body).toEqual({ state: 'requested', steps: ['scene_detail', 't2i_review'], runs: ['r1', 'r2'] });
  expect({ code, note: err.replace(/\s+/g, ' ') }).toEqual({
    code: 0,
    note: expect.stringContaining('The cancel is written: no paid call leaves.') as string,
  });
});

test('a run that has ended by the cancel before it could be told is no failure', async () => {
  const { code, body } = await cancelled([IN_LEDGER, nothingRuns()]);
  expect({ code, body }).toEqual({ code: 0, body: { state: 'requested', steps: IN_LEDGER.steps, runs: ['r1'] } });
});

test('a run that only Temporal knows is asked for again with everything started', async () => {
  const queued: CancelAnswer = { state: 'requested', steps: [], runs: ['r9'] };
  const { code, order, body, err } = await cancelled([nothingRuns(), queued]);
  expect({ code, order, body }).toEqual({
    code: 0,
    order: ['database', 'cancel', 'stop', 'everything', 'cancel', 'stop'],
    body: queued,
  });
  expect(err).not.toContain('is written');
});

test('where neither knows of anything the answer is step.not_running', async () => {
  const { code, body } = await cancelled([nothingRuns(), nothingRuns()]);
  expect({ code, body }).toEqual({ code: 3, body: expect.objectContaining({ code: 'step.not_running' }) as unknown });
});

test.each<[string, Parameters<typeof cancelled>[1]]>([
  ['in a stack that lives', { joined: true }],
  ['where the database is named', { environment: { DATABASE_URL: 'postgres://h/d' } }],
  ['where Temporal is named', { environment: { TEMPORAL_ADDRESS: 'h:7233' } }],
])('%s it is asked for once, and nothing is started', async (_where, how) => {
  const { code, order, body } = await cancelled([IN_LEDGER], how);
  expect({ code, order, body }).toEqual({ code: 0, order: ['database', 'cancel', 'stop'], body: IN_LEDGER });
  expect((await cancelled([nothingRuns()], how)).order).toEqual(['database', 'cancel', 'stop']);
});

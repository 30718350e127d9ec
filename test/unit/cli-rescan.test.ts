import { main } from '../../src/cli/main';
import type { OpenedOperations } from '../../src/cli/dependencies';
import type { RanRound } from '../../src/operations/rescan/contract';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

const told = { act: 'run' as const, workflowId: 'rescan/default' };
const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z' };

/** `callsheet rescan run --json` where the round ends like this. */
async function ran(round: RanRound['round']) {
  const rescan = { runAndWait: () => Promise.resolve({ told, round }) };
  const operations = { rescan, close: () => Promise.resolve() } as unknown as OpenedOperations;
  const dependencies = cliDependencies({
    openStack: () => Promise.resolve(stackDouble().stack),
    openOperations: () => Promise.resolve(operations),
  });
  const double = terminalDouble();
  const code = await main(['rescan', 'run', '--json'], double.streams, dependencies);
  return { code, body: JSON.parse(double.out()) as unknown };
}

test.each<[string, RanRound['round']]>([
  ['no end of the round is seen', null],
  ['the round failed', { ...times, counts: null, failure: 'boom' }],
])('rescan run --json prints the body of the API where %s, and exits with 1', async (_what, round) => {
  expect(await ran(round)).toEqual({ code: 1, body: told });
});

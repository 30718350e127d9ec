import { main } from '../../src/cli/main';
import type { OpenedOperations } from '../../src/cli/dependencies';
import type { RestoreRequest } from '../../src/operations/contract';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

/** The operations are doubles: what reaches them is what is asked here. */
async function call(...argv: string[]) {
  const restored: RestoreRequest[] = [];
  const operations = {
    restoreSnapshot: (request: RestoreRequest) => {
      restored.push(request);
      return Promise.resolve({
        stepId: request.stepId,
        restored: request.version,
        version: 5,
        changed: true,
        status: 'completed',
        stale: {},
        decisions: [],
      });
    },
    close: () => Promise.resolve(),
  } as unknown as OpenedOperations;
  const dependencies = cliDependencies({
    openStack: () => Promise.resolve(stackDouble().stack),
    openOperations: () => Promise.resolve(operations),
  });
  const double = terminalDouble({ json: argv.includes('--json') });
  const code = await main(argv, double.streams, dependencies);
  return { code, restored, out: double.out(), err: double.err() };
}

test('snapshots STEP restore N restores that version of that step', async () => {
  const { code, restored, err } = await call('snapshots', 'scene_detail', 'restore', '3', '--episode', 'e1');
  expect(err).toBe('');
  expect({ code, restored }).toEqual({
    code: 0,
    restored: [
      { projectId: 'local', episodeId: 'e1', stepId: 'scene_detail', version: 3, by: expect.any(String) as string },
    ],
  });
});

test.each([
  ['restore without a version', ['restore']],
  ['restore with two versions', ['restore', '1', '2']],
  ['an act that is none', ['undo', '1']],
])('%s restores nothing, and the form that is right is named', async (_what, act) => {
  const { code, restored, err } = await call('snapshots', 'scene_detail', ...act);
  expect({ code, restored }).toEqual({ code: 2, restored: [] });
  expect(err).toContain('restore N');
});

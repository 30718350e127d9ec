import { performance } from 'node:perf_hooks';
import { followRun } from '../../src/cli/run/follow';
import type { OpenedOperations } from '../../src/cli/dependencies';
import { inSession } from '../../src/cli/session';
import { openDatabase } from '../../src/db/pool';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
const EPISODE = { projectId: 'p', episodeId: 'e' };
const RUN = { workflowId: 'p/e', workflowRunId: 'r' };

describe('following a run', () => {
  afterEach(() => jest.restoreAllMocks());

  test('a database that stays away ends the session in order, although Temporal still waits for the run', async () => {
    const order: string[] = [];
    const { stack } = stackDouble({ stop: () => Promise.resolve(void order.push('stopped')) });
    const database = openDatabase(NOWHERE, 1, () => undefined);
    const operations = {
      db: database.db,
      waitForRun: () => new Promise(() => undefined),
      close: async () => {
        await database.close();
        order.push('closed');
      },
    } as unknown as OpenedOperations;
    const context = {
      terminal: terminalDouble().terminal,
      dependencies: cliDependencies({
        openStack: () => Promise.resolve(stack),
        openOperations: () => Promise.resolve(operations),
      }),
    };
    // Longer than anybody waits, between one try and the next.
    let nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_000_000));
    const said: string[] = [];
    const view = { update: () => undefined, log: (line: string) => said.push(line), end: () => undefined };
    const ended = inSession(context, { need: 'everything', say: () => undefined }, (session) =>
      followRun(session, EPISODE, RUN, view),
    );
    await expect(ended).rejects.toMatchObject({ code: 'db.unavailable' });
    expect(order).toEqual(['closed', 'stopped']);
    expect(said).toEqual([expect.stringContaining('Trying again')]);
  });
});

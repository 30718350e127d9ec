import { planLines } from '../../src/cli/render/plan-table';
import { whatToDo } from '../../src/cli/render/lock-list';
import { createProgram } from '../../src/cli/program';
import { chooseEpisode } from '../../src/cli/run/choose-episode';
import { readRunRequest, type RunOptions } from '../../src/cli/run/request';
import type { Session } from '../../src/cli/session';
import type { LockBody } from '../../src/bodies/locks';
import { cliDependencies } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

let episodes: readonly string[] = [];
jest.mock('../../src/operations/queries/episode-ids', () => ({ episodeIdsOf: () => Promise.resolve(episodes) }));

/** What `callsheet run` would run in a project that has these episodes. */
async function chosen(there: readonly string[], options: Partial<RunOptions> = {}) {
  episodes = there;
  const asked = await readRunRequest(undefined, { project: 'p1', ...options });
  const { episode, screenplay } = await chooseEpisode({ operations: {} } as unknown as Session, asked);
  return { ...episode, file: screenplay?.fileName ?? null };
}

describe('run without a file and without --episode', () => {
  const CHANGES: [string, Partial<RunOptions>][] = [
    ['a plan token', { planToken: 't' }],
    ['force', { force: ['scene_detail'] }],
    ['items', { items: { scene_detail: ['s1'] } }],
    ['steps', { steps: ['scene_detail'] }],
    ['from', { from: 'scene_detail' }],
    ['a budget', { budget: 1 }],
  ];

  test.each(CHANGES)('with %s runs the only episode, never the example', async (_what, options) => {
    expect(await chosen(['mine'], options)).toEqual({ projectId: 'p1', episodeId: 'mine', file: null });
    await expect(chosen(['mine', 'other'], options)).rejects.toMatchObject({
      name: 'UsageError',
      next: expect.stringContaining('mine, other') as string,
    });
  });

  test.each(CHANGES)('in an empty project, with %s, runs the example where it can be meant', async (what, options) => {
    if (['a budget', 'steps', 'from'].includes(what))
      expect(await chosen([], options)).toMatchObject({ episodeId: 'lighthouse' });
    else await expect(chosen([], options)).rejects.toMatchObject({ code: 'episode.unknown' });
  });

  test('runs the example in an empty project, and again where there is only that', async () => {
    const example = { projectId: 'p1', episodeId: 'lighthouse', file: 'lighthouse.fountain' };
    expect(await chosen([])).toEqual(example);
    expect(await chosen(['lighthouse'])).toEqual(example);
  });

  test("goes on with the person's own episode where it is the only one, and guesses at none of several", async () => {
    expect(await chosen(['mine'])).toEqual({ projectId: 'p1', episodeId: 'mine', file: null });
    await expect(chosen(['lighthouse', 'mine'])).rejects.toMatchObject({ name: 'UsageError' });
  });

  test('an episode that is named is taken, whatever else there is', async () => {
    expect(await chosen(['mine', 'other'], { episode: 'other' })).toMatchObject({ episodeId: 'other', file: null });
  });
});

test('redo needs no episode to be named', async () => {
  const started = jest.fn(() => Promise.reject(new Error('as far as this test goes')));
  const context = { terminal: terminalDouble().terminal, dependencies: cliDependencies({ openStack: started }) };
  await expect(createProgram(context).run(['redo', 'S1'])).rejects.toThrow('as far as this test goes');
  expect(started).toHaveBeenCalledTimes(1);
});

test('a printed command is about the episode that was shown', () => {
  const { terminal } = terminalDouble();
  const plan = {
    token: 't',
    mode: 'resume',
    steps: [],
    calls: 0,
    costUsd: 0,
    atRiskUsd: 0,
    expectedMinutes: 0,
  } as unknown as Parameters<typeof planLines>[1];
  const command = 'callsheet run --plan-token t --project p1 --episode e1';
  expect(planLines(terminal, plan, command).join('\n')).toContain(`or none: ${command}`);
  expect(planLines(terminal, plan, null).join('\n')).not.toContain('callsheet run');
  const lock = { verdict: 'alive', cancelRequestedAt: null, stepId: 'scene_detail', projectId: 'p1', episodeId: 'e1' };
  expect(whatToDo(lock as LockBody)).toContain('callsheet cancel scene_detail --project p1 --episode e1');
});

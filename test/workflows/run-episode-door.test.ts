import { ApplicationFailure } from '@temporalio/activity';
import { StubActivities, inputOf, type TestRuns } from '../support/episode-run';
import { openStubbedRuns } from '../support/stubbed-runs';
import type { TestTemporal } from '../support/temporal';

describe('the workflow of a run, started by a door', () => {
  let temporal: TestTemporal;
  let runs: TestRuns;
  let stub: StubActivities;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ temporal, runs, close } = await openStubbedRuns(() => stub));
  });
  afterAll(() => close());
  beforeEach(() => {
    stub = new StubActivities();
  });

  const started = (changes: Parameters<typeof inputOf>[0] = {}) => {
    const input = inputOf(changes);
    return runs.client.start(`episode/${input.projectId}/${input.episodeId}`, input);
  };

  const ended = (episodeId: string) =>
    temporal.environment.client.workflow.getHandle(`episode/p1/${episodeId}`).result();

  it.each(['nothing', 'blocked', 'already_running'] as const)(
    'answers though the run ends at once (%s), and decides nothing more',
    async (outcome) => {
      stub.opening = async () => ({
        outcome,
        code: outcome === 'nothing' ? null : 'run.already_running',
        reason: 'so',
      });
      expect(await started()).toMatchObject({ outcome: 'answered', opened: { outcome, reason: 'so' } });
      expect(stub.begun).toEqual(['openRun']);
    },
  );

  it('twenty times at once is one run, which answers all of them with its own request', async () => {
    const { episodeId } = inputOf();
    const working = stub.hold('runStep world_guide');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => started({ episodeId, chosen: ['world_guide'] })),
    );
    working.letGo();
    expect(new Set(answers.map((answer) => answer.runId)).size).toBe(1);
    expect(new Set(answers.map((answer) => (answer.outcome === 'answered' ? answer.opened.requestId : ''))).size).toBe(
      1,
    );
    expect(stub.begun.filter((name) => name === 'openRun')).toHaveLength(1);
    await ended(episodeId);
  });

  it('twice with the same request gives the same answer', async () => {
    const { episodeId, requestId } = inputOf();
    const same = { episodeId, requestId };
    const working = stub.hold('runStep world_guide');
    const first = await started(same);
    expect(await started(same)).toEqual(first);
    working.letGo();
    await ended(episodeId);
  });

  it('that another workflow run has opened before runs nothing, and ends', async () => {
    const open = stub.opening;
    stub.opening = async (input) => ({ ...(await open(input)), answeredBefore: true });
    const input = inputOf();
    const answer = await runs.client.start(`episode/p1/${input.episodeId}`, input);
    expect(answer).toMatchObject({ outcome: 'answered', opened: { outcome: 'opened', answeredBefore: true } });
    await temporal.environment.client.workflow.getHandle(`episode/p1/${input.episodeId}`).result();
    expect(stub.begun.filter((name) => name !== 'openRun')).toEqual([]);
  });

  it('does not wait for ever for a run that could not be opened: the workflow fails, and the door is told', async () => {
    stub.opening = async () => {
      throw ApplicationFailure.create({ type: 'internal.unexpected', nonRetryable: true });
    };
    const input = inputOf();
    await expect(runs.client.start(`episode/p1/${input.episodeId}`, input)).rejects.toThrow();
    await expect(
      temporal.environment.client.workflow.getHandle(`episode/p1/${input.episodeId}`).result(),
    ).rejects.toThrow();
  });
});

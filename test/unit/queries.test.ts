import type { LockBody } from '../../src/bodies/locks';
import { auditBody } from '../../src/bodies/audit';
import { auditOf } from '../../src/operations/queries/audit';
import { episodeState } from '../../src/operations/queries/episode-state';

const lock = (id: string, changes: Partial<LockBody>): LockBody => ({
  id,
  recoveryCount: 0,
  projectId: 'p',
  episodeId: 'e',
  stepId: 's',
  runId: null,
  owner: null,
  startedAt: '2026-03-25T04:12:11Z',
  heartbeatAt: null,
  cancelRequestedAt: null,
  verdict: 'alive',
  branch: 6,
  proof: 'legacy_timeout',
  ages: { startedSeconds: null, heartbeatSeconds: null },
  reason: '',
  ...changes,
});

test('audit puts each row into one list, oldest first, and leaves none out', () => {
  const locks = [
    lock('young', { verdict: 'dead', startedAt: '2026-08-01T00:00:00Z' }),
    lock('old', { verdict: 'dead', startedAt: '2026-03-01 00:00:00+00' }),
    lock('fine', {}),
    lock('no start', { verdict: 'unknown', startedAt: null }),
    lock('zoneless', { verdict: 'unknown', startedAt: '2026-03-25 04:12:11' }),
    lock('fresh beat, no start', { verdict: 'alive', startedAt: null }),
  ];
  const audit = auditOf({ locks });
  expect(auditBody.parse(audit)).toEqual(audit);
  expect(Object.fromEntries(Object.entries(audit).map(([list, rows]) => [list, rows.map((row) => row.id)]))).toEqual({
    healthy: ['fresh beat, no start', 'fine'],
    stale: ['old', 'young'],
    unparsable: ['zoneless'],
    withoutStart: ['no start'],
  });
});

describe('the state of an episode', () => {
  const state = (statuses: string[], openRun = false, lastRunState: string | null = null) =>
    episodeState({ openRun, lastRunState, statuses });
  test.each([
    ['running while a run is open, whatever the rows say', state(['completed'], true), 'running'],
    ['running while a row runs without any run', state(['completed', 'running']), 'running'],
    ['failed before partial before cancelled', state(['cancelled', 'partial', 'failed']), 'failed'],
    ['done when all is completed or not applicable', state(['completed', 'not_applicable'], false, 'failed'), 'done'],
    [
      'blocked where the last run was, and something is left',
      state(['completed', 'pending'], false, 'blocked'),
      'blocked',
    ],
    ['stale where something must be looked at again', state(['completed', 'stale', 'pending']), 'stale'],
    ['pending else', state(['completed', 'pending']), 'pending'],
    ['not done by a status that nobody knows', state(['completed', 'sleeping']), 'pending'],
  ])('%s', (_what, found, expected) => expect(found).toBe(expected));
});

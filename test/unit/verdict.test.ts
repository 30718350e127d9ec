import fc from 'fast-check';
import { judge, sameHost, type JudgedRow, type Judge } from '../../src/domain/verdict';
import { pidExists } from '../../src/process-identity';

const TIMES = { leaseSeconds: 90, stepRunningTimeoutSeconds: 3600 };
const NOW = '2026-03-25T12:00:00.000000Z';
const ago = (seconds: number): string => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
const YES = (): boolean => true;
const NO = (): boolean => false;
const ME = { host: 'studio', pid: 100, bootId: 'me', hostId: 'kernel-1' };

const NOBODY: JudgedRow = {
  run_id: null,
  started_at: null,
  heartbeat_at: null,
  owner_host: null,
  owner_pid: null,
  owner_boot_id: null,
  owner_host_id: null,
  workflow_id: null,
  workflow_run_id: null,
  activity_id: null,
  activity_task_token: null,
};
const row = (change: Partial<JudgedRow>): JudgedRow => ({ ...NOBODY, ...change });
const eyes = (change: Partial<Judge> = {}): Judge => ({
  identity: ME,
  registryHolds: () => false,
  pidExists: () => true,
  ...change,
});
const see = (of: Partial<JudgedRow>, by: Partial<Judge> = {}) => judge(row(of), NOW, eyes(by), TIMES);
const sister = { run_id: 'r', owner_host: 'studio', owner_host_id: 'kernel-1', owner_pid: 7, owner_boot_id: 'sister' };

describe('the six branches', () => {
  it.each([
    ['1: mine, and my registry does not hold it', { ...sister, owner_boot_id: 'me' }, {}, 'dead', 1, 'registry'],
    [
      '1: mine, without a run id',
      { ...sister, owner_boot_id: 'me', run_id: null },
      { registryHolds: YES },
      'dead',
      1,
      'registry',
    ],
    [
      '2: mine, and held',
      { ...sister, owner_boot_id: 'me', heartbeat_at: ago(9999) },
      { registryHolds: YES },
      'alive',
      2,
      'registry',
    ],
    [
      '3: no process has its pid, however fresh the heartbeat',
      { ...sister, heartbeat_at: ago(1) },
      { pidExists: NO },
      'dead',
      3,
      'pid',
    ],
    [
      '3: nor without a boot id',
      { ...sister, owner_boot_id: null, heartbeat_at: ago(1) },
      { pidExists: NO },
      'dead',
      3,
      'pid',
    ],
    ['4: a process has its pid, and it has beaten', { ...sister, heartbeat_at: ago(30) }, {}, 'alive', 4, 'heartbeat'],
    ['4: another program has its pid', { ...sister, heartbeat_at: ago(91) }, {}, 'dead', 4, 'heartbeat'],
    [
      '5: another host that beats',
      { ...sister, owner_host: 'elsewhere', heartbeat_at: ago(30) },
      { pidExists: NO },
      'alive',
      5,
      'lease',
    ],
    ['5: another host, silent', { ...sister, owner_host: 'elsewhere', heartbeat_at: ago(91) }, {}, 'dead', 5, 'lease'],
    [
      '5: a twin container, whose pid is not to be seen here',
      { ...sister, owner_host_id: 'kernel-2', heartbeat_at: ago(30) },
      { pidExists: NO },
      'alive',
      5,
      'lease',
    ],
    ['5: unknown host', { ...sister, owner_host: null, heartbeat_at: ago(30) }, { pidExists: NO }, 'alive', 5, 'lease'],
    ['5: no pid', { ...sister, owner_pid: null, heartbeat_at: ago(91) }, {}, 'dead', 5, 'lease'],
    [
      '5: no boot id, and a process has the pid',
      { ...sister, owner_boot_id: null, heartbeat_at: ago(30) },
      {},
      'alive',
      5,
      'lease',
    ],
    ['5: nothing but a heartbeat', { heartbeat_at: ago(30) }, {}, 'alive', 5, 'lease'],
    [
      '5: nothing but the ids of Temporal',
      { workflow_id: 'w', started_at: ago(99_999), heartbeat_at: ago(91) },
      {},
      'dead',
      5,
      'lease',
    ],
    ['6: from before ownership, young', { run_id: 'old', started_at: ago(3600) }, {}, 'alive', 6, 'legacy_timeout'],
    ['6: from before ownership, old', { started_at: ago(3601) }, {}, 'dead', 6, 'legacy_timeout'],
  ] as const)('%s', (_what, of, by, verdict, branch, proof) => {
    expect(see(of, by)).toMatchObject({ verdict, branch, proof });
  });

  it.each([
    ['4', { ...sister }],
    ['5', { ...sister, owner_host: 'elsewhere' }],
  ])(
    'branch %s: a heartbeat that is missing, unreadable or far ahead is unknown, and never alive for ever',
    (branch, of) => {
      for (const heartbeat of [null, '', 'yesterday', '2026-03-25 11:59:59', ago(-91), '9999-12-31T23:59:59Z'])
        expect(see({ ...of, started_at: ago(99_999), heartbeat_at: heartbeat })).toMatchObject({
          verdict: 'unknown',
          branch: Number(branch),
          ages: { heartbeatSeconds: null },
        });
    },
  );

  it.each([null, '', 'yesterday', '2026-03-25 11:59:59', ago(-91), '9999-12-31T23:59:59Z'])(
    'branch 6: a start at %j is unknown',
    (started) => {
      expect(see({ started_at: started })).toMatchObject({
        verdict: 'unknown',
        branch: 6,
        ages: { startedSeconds: null },
      });
    },
  );

  it('is strict at the edge, and counts a lead of up to a lease as age 0', () => {
    expect(see({ ...sister, heartbeat_at: ago(90) })).toMatchObject({ verdict: 'alive' });
    expect(see({ ...sister, heartbeat_at: ago(90.001) })).toMatchObject({ verdict: 'dead' });
    for (const ahead of [0.5, 90])
      expect(see({ ...sister, heartbeat_at: ago(-ahead) })).toMatchObject({
        verdict: 'alive',
        ages: { heartbeatSeconds: 0 },
      });
    expect(see({ ...sister, heartbeat_at: ago(-90.001) })).toMatchObject({ verdict: 'unknown' });
    expect(see({ started_at: ago(-90) })).toMatchObject({ verdict: 'alive', ages: { startedSeconds: 0 } });
  });

  it('asks registry and pid only where the branch needs it, and once', () => {
    const asked: string[] = [];
    const by: Judge = {
      identity: ME,
      registryHolds: () => asked.push('registry') > 0,
      pidExists: () => asked.push('pid') > 0,
    };
    judge(row({ ...sister, owner_host: 'elsewhere', heartbeat_at: ago(1) }), NOW, by, TIMES);
    judge(row({ started_at: ago(1) }), NOW, by, TIMES);
    expect(asked).toEqual([]);
    judge(row({ ...sister, heartbeat_at: ago(1) }), NOW, by, TIMES);
    expect(asked).toEqual(['pid']);
  });

  it('refuses a clock that is no time', () => {
    expect(() => judge(NOBODY, 'now', eyes(), TIMES)).toThrow(TypeError);
  });
});

describe('the verdict over all rows', () => {
  const time = fc.oneof(
    fc.constantFrom(null, '', 'yesterday', '2026-03-25 04:12:11', 'foo 1', '9999-12-31T23:59:59Z'),
    fc.integer({ min: -400, max: 8000 }).map(ago),
  );
  const text = (...known: string[]) => fc.constantFrom<string | null>(null, ...known);
  const rows = fc.record<JudgedRow>({
    run_id: text('r', 'other'),
    started_at: time,
    heartbeat_at: time,
    owner_host: text('studio', 'elsewhere', ''),
    owner_pid: fc.constantFrom<number | null>(null, 7, 100, 0, -1),
    owner_boot_id: text('me', 'sister'),
    owner_host_id: text('kernel-1', 'kernel-2'),
    workflow_id: text('w'),
    workflow_run_id: text('wr'),
    activity_id: text('a'),
    activity_task_token: text('t'),
  });
  const judges = fc.record({ holds: fc.boolean(), exists: fc.boolean(), hostId: text('kernel-1') });
  const usable = (at: string | null) =>
    at !== null && at.endsWith('Z') && !at.startsWith('9999') && Date.parse(at) <= Date.parse(NOW) + 90_000;
  const age = (at: string) => Math.max(0, (Date.parse(NOW) - Date.parse(at)) / 1000);

  /** The table of spec 10, word by word, without a thought for speed. */
  const table = (of: JudgedRow, holds: boolean, exists: boolean, hostId: string | null): [string, number] => {
    const isMine = of.owner_boot_id === 'me';
    const isHere =
      of.owner_host === 'studio' && (of.owner_host_id === null || hostId === null || of.owner_host_id === hostId);
    const byHeartbeat = !usable(of.heartbeat_at) ? 'unknown' : age(of.heartbeat_at!) > 90 ? 'dead' : 'alive';
    const byStart = !usable(of.started_at) ? 'unknown' : age(of.started_at!) > 3600 ? 'dead' : 'alive';
    const { run_id: _run, started_at: _start, ...identity } = of;
    const isAnybody = Object.values(identity).some((value) => value !== null);
    if (isMine && !(holds && of.run_id !== null)) return ['dead', 1];
    if (isMine) return ['alive', 2];
    if (isHere && of.owner_pid !== null && !exists) return ['dead', 3];
    if (isHere && of.owner_pid !== null && of.owner_boot_id !== null) return [byHeartbeat, 4];
    if (isAnybody) return [byHeartbeat, 5];
    return [byStart, 6];
  };

  it('is what the table says', () => {
    fc.assert(
      fc.property(rows, judges, (of, { holds, exists, hostId }) => {
        const seen = judge(
          of,
          NOW,
          { identity: { ...ME, hostId }, registryHolds: () => holds, pidExists: () => exists },
          TIMES,
        );
        expect([seen.verdict, seen.branch]).toEqual(table(of, holds, exists, hostId));
      }),
      { numRuns: 3000 },
    );
  });

  it('is never alive on a time that cannot be used, and shows no negative or absurd age', () => {
    fc.assert(
      fc.property(rows, judges, (of, { holds, exists }) => {
        const seen = judge(of, NOW, { identity: ME, registryHolds: () => holds, pidExists: () => exists }, TIMES);
        if (seen.branch >= 4 && !usable(seen.branch === 6 ? of.started_at : of.heartbeat_at))
          expect(seen.verdict).toBe('unknown');
        for (const shown of Object.values(seen.ages))
          expect(shown === null || (Number.isFinite(shown) && shown >= 0)).toBe(true);
        expect(seen.reason).not.toMatch(/NaN|undefined|null/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the probe of a pid', () => {
  it('calls only ESRCH a missing process: EPERM, a group and nonsense mean that one is there', () => {
    const kill = jest.spyOn(process, 'kill');
    for (const [code, exists] of [
      ['ESRCH', false],
      ['EPERM', true],
      ['EINVAL', true],
    ] as const) {
      kill.mockImplementationOnce(() => {
        throw Object.assign(new Error(code), { code });
      });
      expect([code, pidExists(7)]).toEqual([code, exists]);
    }
    kill.mockRestore();
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(pidExists(pid)).toBe(true);
    expect([pidExists(process.pid), pidExists(4_000_000)]).toEqual([true, false]);
  });

  it('takes a host for the same only by name and, where both know it, by fingerprint', () => {
    const owner = (owner_host: string | null, owner_host_id: string | null) => ({ owner_host, owner_host_id });
    expect(sameHost(owner('studio', 'kernel-1'), ME)).toBe(true);
    expect(sameHost(owner('studio', null), ME)).toBe(true);
    expect(sameHost(owner('studio', 'kernel-2'), { ...ME, hostId: null })).toBe(true);
    expect(sameHost(owner('studio', 'kernel-2'), ME)).toBe(false);
    expect(sameHost(owner(null, 'kernel-1'), ME)).toBe(false);
    expect(sameHost(owner('elsewhere', 'kernel-1'), ME)).toBe(false);
  });
});

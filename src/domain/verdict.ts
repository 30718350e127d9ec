import type { ProcessIdentity } from './identity';
import { parseTime } from './time';

/** The columns of a running row that the verdict reads (spec 10 "Columns"). */
export interface JudgedRow {
  readonly run_id: string | null;
  readonly started_at: string | null;
  readonly heartbeat_at: string | null;
  readonly owner_host: string | null;
  readonly owner_pid: number | null;
  readonly owner_boot_id: string | null;
  readonly owner_host_id: string | null;
  readonly workflow_id: string | null;
  readonly workflow_run_id: string | null;
  readonly activity_id: string | null;
  readonly activity_task_token: string | null;
}

export type Branch = 1 | 2 | 3 | 4 | 5 | 6;
export type Proof = 'registry' | 'pid' | 'heartbeat' | 'lease' | 'legacy_timeout';

export interface Ages {
  readonly startedSeconds: number | null;
  readonly heartbeatSeconds: number | null;
}

export interface Verdict {
  readonly verdict: 'alive' | 'dead' | 'unknown';
  readonly branch: Branch;
  readonly proof: Proof;
  readonly ages: Ages;
  /** A sentence for people. */
  readonly reason: string;
}

/** Through whose eyes a row is judged. Registry and pid are asked after the row was read, never before (spec 10). */
export interface Judge {
  readonly identity: ProcessIdentity;
  /** Whether the in-process registry holds this run, claiming or held. */
  registryHolds(runId: string): boolean;
  /** `kill(pid, 0)`: false only for ESRCH; every other error means that a process has that pid. */
  pidExists(pid: number): boolean;
}

export interface VerdictTimes {
  readonly leaseSeconds: number;
  readonly stepRunningTimeoutSeconds: number;
}

type Age = { readonly kind: 'known'; readonly seconds: number } | { readonly kind: 'unusable'; readonly why: string };

/** An age at `nowMs`, or why it cannot be told: missing, unparsable, or ahead by more than a lease. Up to a lease counts as 0. */
function ageOf(what: string, text: string | null, nowMs: number, leaseSeconds: number): Age {
  if (text === null || text === '') return { kind: 'unusable', why: `${what} is missing` };
  const at = parseTime(text);
  if (at === null)
    return { kind: 'unusable', why: `${what} is not a time that can be read (${JSON.stringify(text.slice(0, 60))})` };
  const seconds = (nowMs - at) / 1000;
  if (seconds < -leaseSeconds)
    return { kind: 'unusable', why: `${what} lies in the future by more than a lease (${text})` };
  return { kind: 'known', seconds: Math.max(0, seconds) };
}

function hasIdentity(row: JudgedRow): boolean {
  return [
    row.owner_host,
    row.owner_pid,
    row.owner_boot_id,
    row.owner_host_id,
    row.workflow_id,
    row.workflow_run_id,
    row.activity_id,
    row.activity_task_token,
  ].some((value) => value !== null);
}

/** The same owner_host and, where both sides know it, the same fingerprint: two containers may share a host name (spec 10). */
export function sameHost(
  owner: { readonly owner_host: string | null; readonly owner_host_id: string | null },
  me: ProcessIdentity,
): boolean {
  if (owner.owner_host === null || owner.owner_host !== me.host) return false;
  return owner.owner_host_id === null || me.hostId === null || owner.owner_host_id === me.hostId;
}

/** The six branches, first match wins (spec 10 "The verdict"). A pure function of row, database now, and the judge's answers. */
export function judge(row: JudgedRow, now: string, eyes: Judge, times: VerdictTimes): Verdict {
  const nowMs = parseTime(now);
  if (nowMs === null) throw new TypeError(`The database's clock is not a time: ${now}`);
  const started = ageOf('started_at', row.started_at, nowMs, times.leaseSeconds);
  const beat = ageOf('heartbeat_at', row.heartbeat_at, nowMs, times.leaseSeconds);
  const ages: Ages = {
    startedSeconds: started.kind === 'known' ? started.seconds : null,
    heartbeatSeconds: beat.kind === 'known' ? beat.seconds : null,
  };
  const by = (verdict: Verdict['verdict'], branch: Branch, proof: Proof, reason: string): Verdict => ({
    verdict,
    branch,
    proof,
    ages,
    reason,
  });
  const byAge = (
    branch: Branch,
    proof: Proof,
    age: Age,
    limitSeconds: number,
    what: string,
    prefix: string,
  ): Verdict => {
    if (age.kind === 'unusable') return by('unknown', branch, proof, `${prefix}, and ${age.why}: nobody can tell`);
    const measured = `${what} is ${seconds(age.seconds)} old, the limit is ${limitSeconds} s`;
    return age.seconds > limitSeconds
      ? by('dead', branch, proof, `${prefix}; ${measured}: dead`)
      : by('alive', branch, proof, `${prefix}; ${measured}: alive`);
  };

  const { identity } = eyes;
  if (row.owner_boot_id !== null && row.owner_boot_id === identity.bootId) {
    return row.run_id !== null && eyes.registryHolds(row.run_id)
      ? by('alive', 2, 'registry', 'this process holds the run')
      : by('dead', 1, 'registry', 'the row names this process, which does not hold the run');
  }
  if (sameHost(row, identity) && row.owner_pid !== null) {
    const owner = `process ${row.owner_pid} on this host (${row.owner_host})`;
    if (!eyes.pidExists(row.owner_pid)) return by('dead', 3, 'pid', `${owner} is gone`);
    if (row.owner_boot_id !== null)
      return byAge(
        4,
        'heartbeat',
        beat,
        times.leaseSeconds,
        'its heartbeat',
        `${owner} exists, and only a heartbeat tells whether it is the owner`,
      );
  }
  if (hasIdentity(row) || row.heartbeat_at !== null)
    return byAge(
      5,
      'lease',
      beat,
      times.leaseSeconds,
      'its heartbeat',
      `the owner is ${describeOwner(row)}, out of this process's sight`,
    );
  return byAge(
    6,
    'legacy_timeout',
    started,
    times.stepRunningTimeoutSeconds,
    'its start',
    'the row has no owner and no heartbeat (from before ownership was recorded)',
  );
}

function describeOwner(row: JudgedRow): string {
  const host = row.owner_host ?? 'an unknown host';
  return row.owner_pid === null ? host : `process ${row.owner_pid} on ${host}`;
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
}

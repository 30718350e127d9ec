import type { ProcessIdentity } from '../../../src/domain/identity';
import { judge, type Verdict } from '../../../src/domain/verdict';
import { OWNERS, type Act } from './acts';
import type { End, Ledger, SeenRow } from './ledger';

const LEASE_SECONDS = 90;
const TIMES = { leaseSeconds: LEASE_SECONDS, stepRunningTimeoutSeconds: 3_600 };

interface Owner {
  identity: ProcessIdentity;
  /** The runs that it believes to hold, oldest first; what it believed before a loss, too, until it learns of it. */
  runs: string[];
  /** What it saw, and the run of the workflow for which it looked. */
  seen: { readonly row: SeenRow | null; readonly verdict: Verdict | null; readonly workflowRunId: string } | null;
}

/**
 * Up to four worker processes on two hosts, as far as the lock goes: they read and judge with their own eyes, claim, beat, steal,
 * reclaim, adopt, end, die and start again. Plays the same acts on any ledger, and watches that none is broken.
 */
export class Stage {
  private readonly owners: Owner[];
  private readonly pids = new Set<number>();
  private names = 0;
  private workflowRun = 1;
  /** The heartbeat that had grown older than a lease when that passed. */
  private agedHeartbeat: string | null = null;

  constructor(private readonly ledger: Ledger) {
    this.owners = Array.from({ length: OWNERS }, (_, at) => this.started(at));
  }

  private started(at: number): Owner {
    this.names += 1;
    const pid = 1_000 + this.names;
    this.pids.add(pid);
    const host = at < OWNERS / 2 ? 'h1' : 'h2';
    return { identity: { host, pid, bootId: `boot-${this.names}`, hostId: `${host}-kernel` }, runs: [], seen: null };
  }

  /** Plays one act; answers what came of it, in words that are the same on every ledger. */
  async play(act: Act): Promise<string> {
    const outcome = await this.perform(act);
    await this.expectOneHolder();
    return outcome;
  }

  private async perform(act: Act): Promise<string> {
    switch (act.act) {
      case 'lease passes':
        this.agedHeartbeat = (await this.ledger.read()).row?.heartbeat_at ?? null;
        return 'passed';
      case 'cancel':
        await this.ledger.cancel(`run-${this.workflowRun}`);
        this.workflowRun += 1;
        return 'cancelled';
      case 'die':
        return this.die(act.owner);
      case 'forget':
        this.owners[act.owner]!.runs = []; // the answer of a claim is lost: branch 1
        return 'forgot';
      case 'read':
        return this.read(this.owners[act.owner]!);
      case 'claim':
        return this.claim(this.owners[act.owner]!);
      case 'reclaim':
        return this.reclaim(this.owners[act.owner]!);
      case 'adopt':
        return this.adopt(this.owners[act.owner]!, this.owners[act.from]!);
      case 'beat': {
        const { identity, runs } = this.owners[act.owner]!;
        const runId = act.run === 'first' ? runs[0] : runs.at(-1);
        return runId === undefined ? 'holds nothing' : landed(await this.ledger.beat(identity, runId));
      }
      case 'end':
        return this.end(this.owners[act.owner]!, act.run, act.status);
    }
  }

  private die(at: number): string {
    this.pids.delete(this.owners[at]!.identity.pid);
    this.owners[at] = this.started(at);
    return 'started again';
  }

  private async read(owner: Owner): Promise<string> {
    const { row, now } = await this.ledger.read();
    const verdict = row?.status === 'running' ? this.judged(owner, row, now) : null;
    owner.seen = { row, verdict, workflowRunId: `run-${this.workflowRun}` };
    return `${row?.status ?? 'no row'} ${verdict ? `${verdict.verdict} by branch ${verdict.branch}` : ''}`;
  }

  private judged(owner: Owner, row: SeenRow, now: string): Verdict {
    const later = this.isAged(row) ? new Date(Date.parse(now) + (LEASE_SECONDS + 1) * 1_000).toISOString() : now;
    const eyes = {
      identity: owner.identity,
      registryHolds: (runId: string) => owner.runs.includes(runId),
      pidExists: (pid: number) => this.pids.has(pid),
    };
    return judge(row, later, eyes, TIMES);
  }

  private isAged(row: SeenRow): boolean {
    return row.heartbeat_at !== null && row.heartbeat_at === this.agedHeartbeat;
  }

  private async claim(owner: Owner): Promise<string> {
    const { seen } = owner;
    if (!seen || (seen.verdict && seen.verdict.verdict !== 'dead')) return 'no right to';
    const isSteal = seen.row?.status === 'running';
    this.names += 1;
    const runId = `run-${this.names}`;
    const before = await this.ledger.read();
    const { workflowRunId } = seen;
    const won = await this.ledger.claim({ owner: owner.identity, runId, workflowRunId, expected: seen.row, isSteal });
    if (won) {
      this.expectNoVictim(before.row, `the claim of ${owner.identity.bootId}`);
      owner.runs.push(runId);
    }
    return landed(won);
  }

  private async reclaim(owner: Owner): Promise<string> {
    const { seen } = owner;
    if (seen?.row?.status !== 'running' || seen.verdict?.verdict !== 'dead') return 'no right to';
    const before = await this.ledger.read();
    const won = await this.ledger.reclaim(seen.row);
    if (won) this.expectNoVictim(before.row, `the reclaim by ${owner.identity.bootId}`);
    return landed(won);
  }

  private async adopt(owner: Owner, from: Owner): Promise<string> {
    const token = from.runs.at(-1);
    if (token === undefined || owner === from) return 'no token';
    this.names += 1;
    const runId = `run-${this.names}`;
    const won = await this.ledger.adopt(owner.identity, token, runId);
    if (won) owner.runs.push(runId);
    return landed(won);
  }

  private async end(owner: Owner, which: 'first' | 'last', status: End): Promise<string> {
    const runId = which === 'first' ? owner.runs.shift() : owner.runs.pop();
    return runId === undefined ? 'holds nothing' : landed(await this.ledger.end(owner.identity, runId, status));
  }

  /** A live owner that holds the run, and has beaten within the lease, is not stolen from (I5 of the model). */
  private expectNoVictim(row: SeenRow | null, what: string): void {
    if (row?.status !== 'running' || this.isAged(row)) return;
    const victim = this.owners.find(
      (one) => one.identity.bootId === row.owner_boot_id && one.runs.includes(row.run_id ?? ''),
    );
    if (victim) throw new Error(`${what} took the row from ${victim.identity.bootId}, which lives and beats`);
  }

  /** At no moment may two write (I1): whoever believes to hold a run is asked, and at most one is right. */
  private async expectOneHolder(): Promise<void> {
    const holders: string[] = [];
    for (const { identity, runs } of this.owners)
      for (const runId of runs)
        if (await this.ledger.mayWrite(identity, runId)) holders.push(`${identity.bootId} (${runId})`);
    if (holders.length > 1) throw new Error(`${holders.join(' and ')} may both write`);
  }

  /** Whatever has happened: once all are dead and the lease is over, a new worker gets the step (I4). */
  async expectFreeInTheEnd(): Promise<void> {
    for (let at = 0; at < OWNERS; at += 1) this.die(at);
    this.agedHeartbeat = (await this.ledger.read()).row?.heartbeat_at ?? null;
    this.workflowRun += 1;
    for (const newcomer of this.owners) {
      const read = await this.read(newcomer);
      if ((await this.claim(newcomer)) !== 'landed') throw new Error(`The lock stands for ever: ${read}`);
      await this.end(newcomer, 'last', 'failed');
    }
  }

  /** The row, without times and ids of the database's own. */
  async row(): Promise<string> {
    const { row } = await this.ledger.read();
    return row ? `${row.status} ${row.run_id} ${row.owner_boot_id} ${row.owner_pid}` : 'no row';
  }
}

function landed(won: boolean): string {
  return won ? 'landed' : 'missed';
}

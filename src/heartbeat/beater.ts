import { Client } from 'pg';
import { beatRows, readClock, stillHeld } from '../ledger/beat';
import { parseTime } from '../domain/time';
import type { BeatTimes, FromThread, HeartbeatSettings } from './messages';

/** A failed beat is tried again after this long (spec 10). */
const RETRY_MS = 5_000;
/** Rows that someone had locked are beaten again after this long. */
const LOCKED_RETRY_MS = 1_000;
/** Looking at clock and main thread; a gap far above it means that this process was stopped. */
const TICK_MS = 250;
const STOPPED_MS = 5_000;
/** A statement that takes longer has failed: a network that swallows packets must not stop the beat. */
const STATEMENT_MS = 5_000;

/**
 * The beat itself, on one connection of its own, driven by `tick` (spec 10 "Heartbeat"). A failed beat is reported and
 * counted, never fatal. Time is given in; it passes while the machine sleeps, too.
 */
export class Beater {
  private readonly held = new Set<string>();
  private client: Client | null = null;
  private nextBeatMs = 0;
  private streakSinceMs: number | null = null;
  private lastBeat: BeatTimes | null = null;
  private failures = 0;
  private lastTickMs: number | null = null;
  private beating = false;
  private aliveSeen = -1;
  private aliveAtMs = 0;
  private stalled = false;

  constructor(
    private readonly settings: HeartbeatSettings,
    private readonly tell: (message: FromThread) => void,
    private readonly nowMs: () => number,
  ) {}

  /** A newly held run has just been given a heartbeat by its claim; it is beaten with the others from the next beat on. */
  hold(runId: string): void {
    this.held.add(runId);
  }

  drop(runId: string): void {
    this.held.delete(runId);
  }

  static readonly tickMs = TICK_MS;

  async tick(): Promise<void> {
    const now = this.nowMs();
    const gapMs = this.lastTickMs === null ? 0 : now - this.lastTickMs;
    if (gapMs > STOPPED_MS) {
      this.breakStreak(); // SIGSTOP, or a machine asleep
      this.aliveAtMs += gapMs; // the main thread stood still as well: that is no silence of its own
    }
    this.lastTickMs = now;
    if (this.watchMainThread(now) || this.beating || now < this.nextBeatMs) return;
    this.beating = true;
    try {
      await this.beat();
    } finally {
      this.beating = false;
    }
  }

  /** True while the main thread is stalled: a hung process must not hold a lock for ever. */
  private watchMainThread(now: number): boolean {
    const alive = Atomics.load(new Int32Array(this.settings.aliveCounter), 0);
    if (alive !== this.aliveSeen) {
      this.aliveSeen = alive;
      this.aliveAtMs = now;
      if (this.stalled) {
        this.stalled = false;
        this.nextBeatMs = now;
        this.tell({ kind: 'recovered' });
      }
      return false;
    }
    const silentMs = now - this.aliveAtMs;
    if (silentMs <= this.settings.stallMs) return false;
    if (!this.stalled) {
      this.stalled = true;
      this.breakStreak();
      this.tell({ kind: 'stalled', silentMs });
    }
    return true;
  }

  private async beat(): Promise<void> {
    const startedMs = this.nowMs();
    try {
      const client = await this.connection();
      const runIds = [...this.held];
      const { written, now } =
        runIds.length > 0
          ? await beatRows(client, this.settings.bootId, runIds)
          : { written: new Set<string>(), now: await readClock(client) };
      const left = runIds.filter((runId) => !written.has(runId));
      const locked = left.length > 0 ? await stillHeld(client, this.settings.bootId, left) : new Set<string>();
      const lost = left.filter((runId) => !locked.has(runId) && this.held.has(runId));
      for (const runId of lost) this.held.delete(runId);
      const beat = { atMs: this.nowMs(), databaseMs: parseTime(now) ?? 0 };
      this.noticeJump(startedMs, beat);
      this.succeed(startedMs, beat, [...written], lost, locked.size > 0);
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * A beat that was under way while this process stood still proves nothing of that time. Nor does one that finds the database's
   * clock ahead by more than has passed here: every heartbeat looks old then, until its owner has beaten again.
   */
  private noticeJump(startedMs: number, beat: BeatTimes): void {
    const { atMs, databaseMs } = beat;
    const { lastBeat } = this;
    this.lastBeat = beat;
    const jumpedMs = lastBeat === null ? 0 : databaseMs - lastBeat.databaseMs - (atMs - lastBeat.atMs);
    if (atMs - startedMs > STOPPED_MS || jumpedMs > STOPPED_MS) this.streakSinceMs = null;
  }

  private succeed(
    startedMs: number,
    { atMs, databaseMs }: BeatTimes,
    written: readonly string[],
    lost: readonly string[],
    someLocked: boolean,
  ): void {
    this.failures = 0;
    // A streak begins when its first beat has come: the next one, an interval later, makes it long enough to act on a death.
    const beginsMs = this.streakSinceMs === null ? atMs : startedMs;
    this.streakSinceMs ??= atMs;
    this.nextBeatMs = beginsMs + (someLocked ? LOCKED_RETRY_MS : this.settings.heartbeatMs);
    this.tell({ kind: 'beat', written, lost, unbrokenMs: atMs - this.streakSinceMs, databaseMs, atMs });
  }

  private fail(message: string): void {
    this.failures += 1;
    this.breakStreak();
    this.nextBeatMs = this.nowMs() + Math.min(RETRY_MS, this.settings.heartbeatMs);
    void this.disconnect();
    this.tell({ kind: 'failed', message, failures: this.failures });
  }

  private breakStreak(): void {
    this.streakSinceMs = null;
    this.nextBeatMs = Math.min(this.nextBeatMs, this.nowMs());
  }

  private async connection(): Promise<Client> {
    if (this.client) return this.client;
    const client = new Client({
      connectionString: this.settings.databaseUrl,
      connectionTimeoutMillis: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
      statement_timeout: STATEMENT_MS,
      keepAlive: true,
      application_name: 'callsheet heartbeat',
    });
    client.on('error', (error) => {
      if (this.client === client) this.fail(error.message); // the server has dropped the connection between two beats
    });
    await client.connect();
    this.client = client;
    return client;
  }

  async disconnect(): Promise<void> {
    const { client } = this;
    this.client = null;
    if (!client) return;
    try {
      await client.end();
    } catch {
      // The connection is broken already: there is nothing left to close.
    }
  }
}

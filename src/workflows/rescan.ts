import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  log,
  patched,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Carried, LastRound, LoopRounds, LoopSettings, RescanActivities, RescanInput } from './rescan-contract';
import { pauseSignal, resumeSignal, runNowSignal, settingsSignal, statusQuery } from './rescan-messages';
import { roundProfile } from './rescan-profile';

/** A round writes about a dozen events: far below what a history may hold (cases C38). */
const HISTORY_EVENTS = 4_000;
const FAILURE_CHARACTERS = 300;

/**
 * The durable loop of the rescan, spec 30: round, sleep, round. Rounds never overlap, and the interval runs from the end of a
 * round: a slow service makes rounds rarer, never denser. Nothing that a round does or fails to do ends the loop.
 */
export async function rescan(input: RescanInput): Promise<never> {
  return new RescanLoop(input).perform();
}

class RescanLoop {
  private paused: boolean;
  private runNow: boolean;
  private begun: number;
  private failed: number;
  private lastRound: LastRound | null;
  private running = false;
  private intervalMs: number;
  private limitMs: number;
  private dueAtMs: number;

  constructor(private readonly input: RescanInput) {
    const { intervalMs, limitMs, carried } = input;
    this.intervalMs = intervalMs;
    this.limitMs = limitMs;
    this.paused = carried?.paused ?? false;
    this.runNow = carried?.runNow ?? false;
    this.begun = carried?.begun ?? 0;
    this.failed = carried?.failed ?? 0;
    this.lastRound = carried?.lastRound ?? null;
    this.dueAtMs = carried?.dueAtMs ?? Date.now();
    // State first, then handlers: a signal that came before this very moment meets the state that it is about (cases C40).
    setHandler(pauseSignal, () => void (this.paused = true));
    setHandler(resumeSignal, () => void (this.paused = false));
    setHandler(runNowSignal, () => void (this.runNow = true));
    // A round that ends well tells them, too; where none does, since the limit is too short for it, this alone mends the loop.
    setHandler(settingsSignal, (settings) => {
      if (areSettings(settings)) this.takeSettings(settings);
    });
    setHandler(statusQuery, () => ({
      paused: this.paused,
      running: this.running,
      runNow: this.runNow,
      begun: this.begun,
      failed: this.failed,
      lastRound: this.lastRound,
      nextDueAtMs: this.running || this.paused ? null : this.dueAtMs,
      intervalMs: this.intervalMs,
    }));
  }

  async perform(): Promise<never> {
    // A run that was open before this was added looks at its history after rounds only (docs/changing-workflows.md).
    const looksWhileItWaits = patched('rescan-looks-while-it-waits');
    for (;;) {
      await this.untilDue(() => looksWhileItWaits && this.hasLongHistory());
      if (looksWhileItWaits && this.hasLongHistory()) await this.goOnAsNew();
      this.runNow = false;
      await this.round();
      this.dueAtMs = Date.now() + this.intervalMs;
      if (this.hasLongHistory()) await this.goOnAsNew();
    }
  }

  /**
   * The durable sleep: until the interval since the end of the last round is over and nobody has paused, or a person asks; or until
   * there is no more room in the history, since signals write to it also while the loop is paused.
   */
  private async untilDue(isFull: () => boolean): Promise<void> {
    while (!this.runNow && !isFull()) {
      const remainingMs = this.dueAtMs - Date.now();
      if (this.paused) await condition(() => !this.paused || this.runNow || isFull());
      else if (remainingMs > 0) await condition(() => this.paused || this.runNow || isFull(), remainingMs);
      else return;
    }
  }

  private hasLongHistory(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || historyLength > (this.input.historyEvents ?? HISTORY_EVENTS);
  }

  /** One round, tried once. A round that fails or hangs is counted and told; the loop goes on. */
  private async round(): Promise<void> {
    const startedAtMs = Date.now();
    this.begun += 1;
    this.running = true;
    try {
      const report = await proxyActivities<RescanActivities>(roundProfile(this.limitMs)).rescanRound({
        rounds: this.endedRounds(),
      });
      this.keep({ startedAtMs, endedAtMs: Date.now(), report, failure: null });
      this.takeSettings(report);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error; // Temporal's own Cancel ends the loop
      this.failed += 1;
      const failure = shortened(`${error.message}: ${error.cause?.message ?? 'no cause given'}`);
      log.error('a rescan round failed: the next one follows after the interval', { failure, failed: this.failed });
      this.keep({ startedAtMs, endedAtMs: Date.now(), report: null, failure });
    } finally {
      this.running = false;
    }
  }

  /** As a round begins, which is begun already and has not ended. */
  private endedRounds(): LoopRounds {
    const { begun, failed } = this;
    return { loop: workflowInfo().firstExecutionRunId, done: begun - 1 - failed, failed };
  }

  private keep(round: LastRound): void {
    this.lastRound = round;
  }

  private takeSettings({ intervalMs, limitMs }: LoopSettings): void {
    this.intervalMs = intervalMs;
    this.limitMs = limitMs;
  }

  private goOnAsNew(): Promise<never> {
    const { paused, runNow, begun, failed, lastRound, dueAtMs } = this;
    const carried: Carried = { paused, runNow, begun, failed, lastRound, dueAtMs };
    return continueAsNew<typeof rescan>({ ...this.input, intervalMs: this.intervalMs, limitMs: this.limitMs, carried });
  }
}

function shortened(text: string): string {
  return [...text].slice(0, FAILURE_CHARACTERS).join('');
}

function areSettings(told: Partial<LoopSettings> | null | undefined): told is LoopSettings {
  const isTime = (ms: unknown) => typeof ms === 'number' && Number.isFinite(ms) && ms > 0;
  return isTime(told?.intervalMs) && isTime(told?.limitMs);
}

import type { RescanActBody, RescanBody, RetriedBody, RoundBody } from '../../bodies/rescan';

/** A round that was asked for. */
export interface RanRound {
  /** As `act('run')` answers it. */
  readonly told: RescanActBody;
  /** null: no end within the time that was given. */
  readonly round: RoundBody | null;
}

/** What all doors call about the rescan (spec 30). */
export interface RescanOperations {
  /** Reads only. What cannot be read of the loop is null, and the rest is there all the same. */
  status(): Promise<RescanBody>;
  /** Signals the loop; one that does not run is started. Throws temporal.unavailable. */
  act(act: 'run' | 'pause' | 'resume', by: string): Promise<RescanActBody>;
  /** Like `act('run')`, and waits for the end of the round. Throws temporal.unavailable. */
  runAndWait(by: string, withinMs: number): Promise<RanRound>;
  /** A FAILED context is asked for again, at once, with the whole allowance. Throws context.unknown, context.not_failed. */
  retry(input: { readonly id: string; readonly by: string }): Promise<RetriedBody>;
  /** All FAILED contexts of a project. */
  retryAll(input: { readonly projectId: string; readonly by: string }): Promise<RetriedBody>;
  /** All figures as Prometheus reads them. */
  metrics(): Promise<string>;
}

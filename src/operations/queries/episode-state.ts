import type { EpisodeState } from '../../bodies/status';

export interface StateFacts {
  /** A run of the episode is open. */
  readonly openRun: boolean;
  /** How the newest ended run ended; null: there is none. */
  readonly lastRunState: string | null;
  readonly statuses: readonly string[];
}

/**
 * One word for an episode. Running while it has an open run or a running row (spec 15 "Starting"); else the worst that a step
 * shows; a run that was blocked leaves no trace in the rows, so it is remembered while something is left to do.
 */
export function episodeState({ openRun, lastRunState, statuses }: StateFacts): EpisodeState {
  const some = (status: string) => statuses.includes(status);
  if (openRun || some('running')) return 'running';
  for (const status of ['failed', 'partial', 'cancelled'] as const) if (some(status)) return status;
  if (statuses.every((status) => status === 'completed' || status === 'not_applicable')) return 'done';
  if (lastRunState === 'blocked') return 'blocked';
  return some('stale') ? 'stale' : 'pending';
}

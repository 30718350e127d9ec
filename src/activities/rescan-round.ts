import { Context } from '@temporalio/activity';
import type { AiSettings, RescanSettings } from '../config';
import type { AiClient } from '../contexts/ai-client';
import type { Db } from '../db/pool';
import { withDatabaseErrors } from '../db/errors';
import type { Logger } from '../observability/logger';
import { keepRounds } from '../rescan/count-round';
import { openRound } from '../rescan/open-round';
import type { RoundCounts } from '../rescan/round-counts';
import { roundLimitMs } from '../rescan/round-limit';
import { runRound } from '../rescan/round';
import type { RescanActivities, RoundRequest } from '../workflows/rescan-contract';
import { failureOf } from './failure';
import { giveUpAfterStop } from './give-up';

export interface RescanDependencies {
  readonly db: Db;
  readonly client: AiClient;
  readonly log: Logger;
  readonly rescan: RescanSettings;
  readonly ai: AiSettings;
  monotonicMs(): number;
}

/** Well below the heartbeat timeout of a round (src/workflows/rescan-profile.ts). */
const BEAT_MS = 5_000;
/** A round that is told to stop ends its requests at once, and waits at most 5 s for a row. Less than a worker's last wait for it. */
const STOPS_WITHIN_MS = 8_000;

/** The activity of the rescan's loop (spec 30): one round, with the settings of the process where it runs. */
export function createRescanActivities(deps: RescanDependencies): RescanActivities {
  return {
    rescanRound: async (request) => {
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), BEAT_MS);
      try {
        const { cancellationSignal: stop } = context;
        const counts = await giveUpAfterStop(round(deps, request, stop), stop, STOPS_WITHIN_MS);
        return { ...counts, intervalMs: deps.rescan.intervalMs, limitMs: roundLimitMs(deps.rescan, deps.ai) };
      } catch (error) {
        deps.log.error({ err: error }, 'a rescan round failed: the next one follows after the interval');
        throw failureOf(error);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/** A round that its loop's numbers are kept beside: those of the rounds before it, and itself once it has ended. */
async function round(deps: RescanDependencies, { rounds }: RoundRequest, stop: AbortSignal): Promise<RoundCounts> {
  if (!rounds) return perform(deps, stop);
  await keepRounds(deps, rounds);
  try {
    const counts = await perform(deps, stop);
    await keepRounds(deps, { ...rounds, done: rounds.done + 1 });
    return counts;
  } catch (error) {
    await keepRounds(deps, { ...rounds, failed: rounds.failed + 1 });
    throw error;
  }
}

function perform(deps: RescanDependencies, stop: AbortSignal): Promise<RoundCounts> {
  const { rescan, ai, log, monotonicMs } = deps;
  return withDatabaseErrors('A rescan round', () =>
    runRound(openRound(deps, rescan), {
      batchSize: rescan.batchSize,
      concurrentRequests: ai.concurrentRequests,
      log,
      stop,
      monotonicMs,
    }),
  );
}

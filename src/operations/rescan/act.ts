import type { RescanActBody } from '../../bodies/rescan';
import { AppError } from '../../domain/errors';
import { roundLimitMs } from '../../rescan/round-limit';
import { audit } from '../../store/audit';
import type { RescanAct, RescanClient } from '../../temporal/rescan-client';
import type { RanRound } from './contract';
import type { RescanDependencies } from './dependencies';
import { roundOf } from './status';

const POLL_MS = 200;

/** Signals the loop (spec 30). Audited. Throws temporal.unavailable. */
export async function askLoop(deps: RescanDependencies, act: RescanAct, by: string): Promise<RescanActBody> {
  const loop = loopOf(deps);
  await loop.ask(act, { intervalMs: deps.rescan.intervalMs, limitMs: roundLimitMs(deps.rescan, deps.ai) });
  await audit(deps.db, {
    by,
    act: `rescan.${act}`,
    projectId: null,
    episodeId: null,
    details: { workflowId: loop.workflowId },
  });
  return { act, workflowId: loop.workflowId };
}

/** One round now: one that is under way does not count, since it may have passed by what is expired by now. */
export async function runAndWait(deps: RescanDependencies, by: string, withinMs: number): Promise<RanRound> {
  const loop = loopOf(deps);
  const told = await askLoop(deps, 'run', by);
  // On the monotonic clock: where no worker answers, each look takes seconds of its own.
  const untilMs = performance.now() + withinMs;
  do {
    const status = await loop.status();
    // Asked for it is until it begins, so a round that was under way before is never taken for it.
    if (status && !status.runNow && !status.running && status.lastRound)
      return { told, round: roundOf(status.lastRound) };
    await deps.sleep(POLL_MS);
  } while (performance.now() < untilMs);
  return { told, round: null };
}

function loopOf({ loop }: RescanDependencies): RescanClient {
  if (loop) return loop;
  throw new AppError('temporal.unavailable', 'The rescan is a loop in Temporal, which is not reachable from here.');
}

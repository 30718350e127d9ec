import { performance } from 'node:perf_hooks';
import { AppError } from '../../domain/errors';
import type { EpisodeRef, RunResult, WorkflowRef } from '../../operations/contract';
import { readStatus, type StatusReading } from '../../operations/queries/status';
import type { ProgressView } from '../progress/view';
import type { Session } from '../session';
import { waitOrAbort } from '../wait';

const POLL_MS = 300;
const RETRY_MS = 1_000;
/** A database or a Temporal server that is away for this long is not waited for any longer; the run itself goes on. */
const PATIENCE_MS = 300_000;

export interface Followed {
  readonly result: RunResult;
  readonly reading: StatusReading;
}

/**
 * Shows a run's progress until it has ended (spec 50). Outages of database and Temporal are sat out for a while: the run is
 * theirs, not ours. Null: the session is over. Throws db.unavailable, temporal.unavailable after that while.
 */
export async function followRun(
  session: Session,
  episode: EpisodeRef,
  run: WorkflowRef,
  view: ProgressView,
): Promise<Followed | null> {
  const read = () => readStatus(session.operations.db, episode, session.operations.temporalUi);
  const stop = new AbortController();
  const over = AbortSignal.any([session.over, stop.signal]);
  const polling = (async () => {
    for (;;) {
      const reading = await patiently(over, view, read);
      if (reading === null) return;
      view.update(reading);
      await waitOrAbort(POLL_MS, over);
    }
  })();
  const following = (async () => {
    const result = await patiently(over, view, () => session.operations.waitForRun(run));
    const reading = result && (await patiently(over, view, read));
    if (result === null || reading === null) return null;
    view.update(reading);
    return { result, reading };
  })();
  try {
    // What ends the polling for good ends the session, in order, although the run is still waited for.
    return await Promise.race([following, polling.then(() => following)]);
  } finally {
    stop.abort();
    await Promise.allSettled([polling]);
  }
}

/** Tries again while database or Temporal are away; null: over. Anything else is thrown. */
async function patiently<T>(over: AbortSignal, view: ProgressView, work: () => Promise<T>): Promise<T | null> {
  let awaySinceMs: number | null = null;
  while (!over.aborted) {
    try {
      const value = await work();
      if (awaySinceMs !== null) view.log('It answers again.');
      return value;
    } catch (error) {
      // A session that ended under the work closes its connections: what that throws is no news.
      if (over.aborted) return null;
      if (!isAway(error)) throw error;
      const nowMs = performance.now();
      if (awaySinceMs === null) view.log(`${error.message} Trying again; the run goes on by itself.`);
      awaySinceMs ??= nowMs;
      if (nowMs - awaySinceMs > PATIENCE_MS) throw error;
      await waitOrAbort(RETRY_MS, over);
    }
  }
  return null;
}

function isAway(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'db.unavailable' || error.code === 'temporal.unavailable');
}

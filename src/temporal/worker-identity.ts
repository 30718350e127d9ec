import type { ProcessIdentity } from '../domain/identity';

/**
 * How a worker signs at Temporal: host, fingerprint, pid and boot id, so that a start can tell which attempts a dead worker
 * left behind (spec 15 "Fast takeover"). Also what a person reads in Temporal's UI.
 */
export function workerIdentity({ host, hostId, pid, bootId }: ProcessIdentity): string {
  return JSON.stringify({ host, hostId, pid, bootId });
}

/** Reads it back; null for a worker that signs otherwise. */
export function readWorkerIdentity(text: string): ProcessIdentity | null {
  try {
    const value = JSON.parse(text) as Partial<ProcessIdentity> | null;
    if (typeof value?.host !== 'string' || typeof value.pid !== 'number' || typeof value.bootId !== 'string')
      return null;
    return {
      host: value.host,
      pid: value.pid,
      bootId: value.bootId,
      hostId: typeof value.hostId === 'string' ? value.hostId : null,
    };
  } catch {
    return null; // not ours
  }
}

import type { Stop } from '../domain/stop';
import type { Held } from '../ledger/held';
import type { ExecutionDependencies } from './dependencies';
import type { ExecuteOutcome } from './execute-and-finalize';
import { endWithoutCheckpoint } from './finalize';

/** How often a parked run looks whether the process is asked to stop, in milliseconds. */
const LOOK_MS = 500;

/**
 * The first activity of an editor step is done: the run stays registered and beating until the second one adopts it. Without
 * adoption for a lease, or at once on shutdown, it goes back to `pending` (spec 15 "Handing over").
 */
export function parkForHandover(deps: ExecutionDependencies, held: Held, stopRequested: () => Stop | null): ExecuteOutcome {
  deps.registry.park(held.runId);
  void waitForAdoption(deps, held, stopRequested).catch((error: unknown) => {
    deps.log.error({ ...held, err: error }, 'handing back a parked run failed');
  });
  return { outcome: 'parked', token: held.runId };
}

async function waitForAdoption(deps: ExecutionDependencies, held: Held, stopRequested: () => Stop | null): Promise<void> {
  const looks = Math.ceil((deps.times.leaseSeconds * 1000) / LOOK_MS);
  for (let look = 0; look < looks && stopRequested()?.why !== 'handed_back'; look += 1) {
    await deps.sleep(LOOK_MS);
    if (!deps.registry.holds(held.runId)) return; // adopted: the beat has found the new owner
  }
  try {
    await endWithoutCheckpoint(deps, held, { status: 'pending', message: null, recoveryReason: 'handed back: not adopted' });
  } finally {
    deps.registry.drop(held.runId);
  }
}

import type { Stop } from '../domain/stop';
import type { Held } from '../ledger/held';
import type { ExecutionDependencies } from './dependencies';
import type { ExecuteOutcome } from './execute-outcome';
import { endWithoutCheckpoint } from './finalize';
import { safePointOf } from './safe-point';

/** How often a parked run looks whether the process is asked to stop, or a cancel stands, in milliseconds. */
const LOOK_MS = 500;

const CANCELLED = 'Cancelled between review and refresh; nothing was applied, and what was bought is kept.';

/**
 * The first activity of an editor step is done: the run stays registered and beating until the second one adopts it. Without
 * adoption for a lease, or at once on shutdown, it goes back to `pending`; cancelled meanwhile, it ends `cancelled` (spec 15
 * "Handing over").
 */
export function parkForHandover(
  deps: ExecutionDependencies,
  held: Held,
  stopRequested: () => Stop | null,
): ExecuteOutcome {
  deps.registry.park(held.runId);
  void waitForAdoption(deps, held, stopRequested).catch((error: unknown) => {
    deps.log.error({ ...held, err: error }, 'handing back a parked run failed');
  });
  return { outcome: 'parked', token: held.runId };
}

async function waitForAdoption(
  deps: ExecutionDependencies,
  held: Held,
  stopRequested: () => Stop | null,
): Promise<void> {
  const safePoint = safePointOf(deps, held, () => (stopRequested()?.why === 'handed_back' ? stopRequested() : null));
  const looks = Math.ceil((deps.times.leaseSeconds * 1000) / LOOK_MS);
  let stop: Stop | null = null;
  try {
    for (let look = 0; look < looks && !stop; look += 1) {
      stop = await safePoint();
      if (stop?.why === 'ownership_lost') return deps.registry.drop(held.runId); // adopted, or another's
      if (!stop) await deps.sleep(LOOK_MS);
    }
  } catch (error) {
    // Nobody looks after this entry any more: left in the registry, it would be beaten for ever.
    deps.log.error({ ...held, err: error }, 'looking after a parked run failed: it is handed back');
  }
  await endParked(deps, held, stop?.why === 'cancelled');
}

async function endParked(deps: HandBackDependencies, held: Held, cancelled: boolean): Promise<void> {
  try {
    await endWithoutCheckpoint(
      deps,
      held,
      cancelled
        ? { status: 'cancelled', message: CANCELLED, recoveryReason: null }
        : { status: 'pending', message: null, recoveryReason: 'handed back: not adopted' },
    );
  } finally {
    deps.registry.drop(held.runId);
  }
}

type HandBackDependencies = Pick<ExecutionDependencies, 'db' | 'log' | 'sleep' | 'registry'>;

/** At the end of a worker: what is still parked goes back to `pending` before the process is gone (spec 15 "Handing over"). */
export async function handBackParked(deps: HandBackDependencies): Promise<void> {
  for (const { held, state } of deps.registry.all()) if (state === 'parked') await endParked(deps, held, false);
}

import type { SafePoint } from '../domain/stop';
import { AppError } from '../domain/errors';
import type { StepCall } from '../pipeline/definition';
import type { BuyerDeps, BuyerParts } from './buyer-parts';
import { buyCall } from './buy';
import { createCallsInFlight, type CallInFlight } from './calls-in-flight';
import { createLimits } from './limits';
import type { BuyContext, BuyOutcome } from './outcome';
import { pidExists } from './sender-gone';

/** The one way to a provider (spec 40). One for each process: limits and calls in flight are shared by all its steps. */
export interface Buyer {
  /**
   * Brings the results of one call: reused where it was paid before, bought where not. Throws purchase.store_failed,
   * db.unavailable after minutes without a database, and what a step's reader throws.
   */
  buy(context: BuyContext, call: StepCall): Promise<BuyOutcome>;
  /** Calls whose answer this process awaits. */
  inFlight(): readonly CallInFlight[];
  holds(purchaseId: string): boolean;
}

/** While the database is away a safe point cannot tell; the next statement waits for it. */
function patient(safePoint: SafePoint): SafePoint {
  return async () => {
    try {
      return await safePoint();
    } catch (error) {
      if (error instanceof AppError && (error.code === 'db.unavailable' || error.code === 'db.lock_timeout'))
        return null;
      throw error;
    }
  };
}

export function createBuyer(deps: BuyerDeps): Buyer {
  const calls = createCallsInFlight();
  const probe = deps.pidExists?.bind(deps) ?? pidExists;
  const parts: BuyerParts = {
    ...deps,
    sendWindowMs: deps.sendWindowMs ?? 5_000,
    maxInvalidAnswers: deps.maxInvalidAnswers ?? 3,
    graceOver: deps.graceOver,
    calls,
    limits: createLimits(deps),
    eyes: { identity: deps.identity, holds: (id) => calls.holds(id), pidExists: probe },
  };
  return {
    buy: (context, call) => buyCall(parts, { ...context, safePoint: patient(context.safePoint) }, call),
    inFlight: () => calls.list(),
    holds: (purchaseId) => calls.holds(purchaseId),
  };
}

import type { SafePoint, Stop } from '../domain/stop';
import type { ItemOutcome } from '../pipeline/definition';
import type { ExecutionDependencies } from './dependencies';
import { actsOf } from '../store/stale-marks';
import type { CallsResult, RunCallsContext } from './calls';
import { ItemKeeper } from './item-keeper';
import { planCalls, type CallPlan } from './needed-items';

/** Calls of one step under way at once; the provider's own limits come on top (spec 40 "Limits"). */
export const CALLS_AT_ONCE = 8;

/**
 * The one loop over items, and so the safe point of every step (spec 10, answer 3): buys what is needed, keeps each item as
 * it arrives, reuses what is there. After a stop or an error no further call begins; those in flight are settled and kept.
 */
export async function runCalls(deps: ExecutionDependencies, context: RunCallsContext): Promise<CallsResult> {
  const plans = await planCalls(context.step, context.calls, context.kept, actsOf(context.marks), deps.artifacts);
  const loop = new CallLoop(deps, context, plans);
  await loop.begin();
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => loop.work()));
  return loop.result();
}

class CallLoop {
  private readonly queue: CallPlan[];
  private readonly keeper: ItemKeeper;
  private stop: Stop | null = null;
  private halted: CallsResult['halted'] = null;
  private inDoubt: CallsResult['halted'] = null;
  private callCostsUsd: number | null = null;
  private crash: { readonly error: unknown } | null = null;

  constructor(
    private readonly deps: ExecutionDependencies,
    private readonly context: RunCallsContext,
    private readonly plans: readonly CallPlan[],
  ) {
    this.queue = plans.filter((plan) => plan.needed.length > 0);
    this.keeper = new ItemKeeper(deps, context, plans);
  }

  /** Writes what is there already, and takes away the marks of items whose request is unchanged. */
  async begin(): Promise<void> {
    if (!(await this.keeper.begin())) this.stop = { why: 'ownership_lost' };
  }

  async work(): Promise<void> {
    for (;;) {
      if (this.ended()) return;
      const plan = this.queue.shift();
      if (!plan) return;
      try {
        await this.perform(plan);
      } catch (error) {
        this.crash ??= { error }; // the others settle what is in flight; then the first error ends the step
      }
    }
  }

  /**
   * Asked by every call wherever it waits, for a place, in a back-off, for another's answer: once the step has halted or crashed
   * none of them may leave any more, whatever the ledger says.
   */
  private readonly safePoint: SafePoint = async () => this.ended() ?? (await this.context.safePoint()) ?? this.ended();

  private ended(): Stop | null {
    return this.stop ?? (this.halted || this.crash ? { why: 'no_more_calls' } : null);
  }

  private stopFor(stop: Stop): void {
    if (stop.why !== 'no_more_calls') this.stop ??= stop;
  }

  private async perform(plan: CallPlan): Promise<void> {
    const stop = await this.safePoint();
    if (stop) return this.stopFor(stop);
    const generation = Math.max(...plan.needed.map((item) => this.context.generations.of(item)));
    const { held, config } = this.context;
    const bought = await this.deps.buyer.buy({ held, generation, config, safePoint: this.safePoint }, plan.call);
    switch (bought.outcome) {
      case 'bought':
      case 'reused':
        return this.keep(plan, generation, bought.purchaseId, (item) => {
          const result = bought.results[item];
          return result === undefined
            ? { status: 'failed', code: 'provider.invalid_answer', message: `The answer has nothing for ${item}.` }
            : { status: 'done', result, requestHash: plan.requestHash };
        });
      case 'item_failed':
        return this.keep(plan, generation, null, () => ({
          status: 'failed',
          code: bought.code,
          message: bought.message,
        }));
      case 'in_doubt':
        this.inDoubt ??= { code: 'purchase.in_doubt', message: bought.message }; // the others go on
        return;
      case 'budget':
        this.halted ??= { code: 'budget.exhausted', message: bought.message };
        this.callCostsUsd ??= bought.estimateUsd;
        return;
      case 'account':
        this.halted ??= { code: 'provider.account', message: bought.message };
        return;
      case 'rate_limited':
        this.halted ??= { code: 'provider.rate_limited', message: bought.message };
        return;
      case 'stopped':
        return this.stopFor(bought.stop);
    }
  }

  private async keep(
    plan: CallPlan,
    generation: number,
    purchaseId: string | null,
    outcomeOf: (item: string) => ItemOutcome,
  ): Promise<void> {
    const outcomes = new Map<string, ItemOutcome>(plan.needed.map((item) => [item, outcomeOf(item)]));
    if (!(await this.keeper.keep(plan.requestHash, generation, purchaseId, outcomes)))
      this.stop = { why: 'ownership_lost' };
  }

  /** Where the budget ended: what finishing the step would cost, at the estimate of the call that was refused (spec 40 "Budget"). */
  private haltedWithRest(): CallsResult['halted'] {
    const halted = this.halted ?? this.inDoubt;
    if (!halted || this.callCostsUsd === null) return halted;
    const calls = this.plans.filter((plan) => plan.needed.some((item) => !this.keeper.outcomes.has(item))).length;
    const rest = `Finishing it takes about ${calls} more ${calls === 1 ? 'call' : 'calls'} for $${(calls * this.callCostsUsd).toFixed(2)}.`;
    return { ...halted, message: `${halted.message} ${rest}` };
  }

  result(): CallsResult {
    if (this.crash) throw this.crash.error;
    const counts = this.keeper.counts();
    return {
      outcomes: this.keeper.outcomes,
      ...counts,
      stop: this.stop,
      halted: this.haltedWithRest(),
      requestHashes: this.plans.map((plan) => plan.requestHash),
    };
  }
}

import { randomUUID } from 'node:crypto';
import type { Json } from '../../src/domain/json';
import type { StepCall } from '../../src/pipeline/definition';
import type { Buyer } from '../../src/purchases/buyer';
import type { BuyContext, BuyOutcome } from '../../src/purchases/outcome';
import { hashOf } from '../../src/hash';

type Answer = BuyOutcome | ((context: BuyContext, call: StepCall) => Promise<BuyOutcome>);

/** A call that has left, and whose answer the test gives. */
export interface CallInHand {
  readonly context: BuyContext;
  /** Resolves the call as it would have been. */
  answer(): void;
}

/** A buyer that keeps what it sold, and does with an item what the test said. It is a safe point, like the real one. */
export class FakeBuyer implements Buyer {
  readonly sold: {
    readonly step: string;
    readonly item: string;
    readonly generation: number;
    readonly runId: string;
  }[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly holding = new Map<string, (call: CallInHand) => void>();

  private readonly waiting = new Set<() => void>();

  /** Answers all calls in hand: at the end of a test, so that nothing waits for it. */
  letGo(): void {
    for (const answer of this.waiting) answer();
  }

  /** From now on, for this item, or for `step:item`. */
  set(item: string, answer: Answer): void {
    this.answers.set(item, answer);
  }

  unset(item: string): void {
    this.answers.delete(item);
  }

  /** The next call of the item arrives, and waits for the test. */
  hold(item: string): Promise<CallInHand> {
    return new Promise((resolve) => this.holding.set(item, resolve));
  }

  async buy(context: BuyContext, call: StepCall): Promise<BuyOutcome> {
    const stop = await context.safePoint();
    if (stop) return { outcome: 'stopped', stop };
    const [item = ''] = call.items;
    const answer = this.answers.get(`${context.held.stepId}:${item}`) ?? this.answers.get(item);
    if (typeof answer === 'function') return answer(context, call);
    if (answer) return answer;
    const arrived = this.holding.get(item);
    this.holding.delete(item);
    if (arrived)
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        arrived({ context, answer: resolve });
      });
    return this.sell(context, call);
  }

  /** What an ordinary call brings. */
  async sell(context: BuyContext, call: StepCall): Promise<BuyOutcome> {
    const { held, generation } = context;
    const results = await this.resultsOf(context, call);
    for (const item of call.items) this.sold.push({ step: held.stepId, item, generation, runId: held.runId });
    return { outcome: 'bought', purchaseId: randomUUID(), requestHash: hashOf(call.request), results, model: 'toy-1' };
  }

  /** A text that names item, generation and request. */
  protected resultsOf({ generation }: BuyContext, call: StepCall): Promise<Readonly<Record<string, Json>>> {
    const request = hashOf(call.request).slice(0, 8);
    return Promise.resolve(
      Object.fromEntries(call.items.map((item) => [item, `${item} of generation ${generation} for ${request}`])),
    );
  }

  soldOf(step: string): string[] {
    return this.sold.filter((sale) => sale.step === step).map((sale) => sale.item);
  }

  inFlight(): [] {
    return [];
  }

  holds(): boolean {
    return false;
  }
}

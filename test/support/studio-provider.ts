import type { Json } from '../../src/domain/json';
import { createOfflineProvider } from '../../src/providers/offline/provider';
import type { Provider, ProviderRequest } from '../../src/providers/port';

export interface Sale {
  readonly step: string;
  readonly item: string;
  readonly key: string;
}

/** What a test says instead of the offline writer: JSON, or the very bytes; undefined: the offline provider answers. */
export type AnswerInstead = (request: ProviderRequest) => Json | Uint8Array | undefined;

/** The offline provider with its books open: every request that left, and answers that a test writes itself. */
export interface StudioProvider {
  readonly provider: Provider;
  /** One entry for each charge, in order. */
  readonly sales: Sale[];
  /** From now on, for this task; null: the offline writer again. */
  answer(task: string, instead: AnswerInstead | null): void;
  /** The next request of this step arrives, is charged, and its answer waits for the test. */
  hold(step: string): Promise<{ release(): void }>;
  /** Steps of the sales since the last call, with what was bought for each. */
  soldSince(): Readonly<Record<string, readonly string[]>>;
}

export function createStudioProvider(priceUsd: number): StudioProvider {
  const offline = createOfflineProvider({ delayMs: 0, till: undefined, priceUsd });
  const answers = new Map<string, AnswerInstead>();
  const sales: Sale[] = [];
  const holding = new Map<string, (held: { release(): void }) => void>();
  let seen = 0;
  const provider: Provider = {
    ...offline,
    send: async (request, options) => {
      const { stepId, itemId } = options.label;
      if (!sales.some((sale) => sale.key === options.idempotencyKey))
        sales.push({ step: stepId, item: itemId, key: options.idempotencyKey });
      const arrived = holding.get(stepId);
      holding.delete(stepId);
      if (arrived) await new Promise<void>((resolve) => arrived({ release: resolve }));
      const instead = answers.get(request.task)?.(request);
      if (instead === undefined) return offline.send(request, options);
      const content = instead instanceof Uint8Array ? instead : new TextEncoder().encode(JSON.stringify(instead));
      return { outcome: 'answer', content, contentType: 'application/json', costUsd: priceUsd, usage: {} };
    },
  };
  return {
    provider,
    sales,
    answer: (task, instead) => void (instead ? answers.set(task, instead) : answers.delete(task)),
    hold: (step) => new Promise((resolve) => holding.set(step, resolve)),
    soldSince: () => {
      const fresh = sales.slice(seen);
      seen = sales.length;
      const bySteps: Record<string, string[]> = {};
      for (const { step, item } of fresh) (bySteps[step] ??= []).push(item);
      return bySteps;
    },
  };
}

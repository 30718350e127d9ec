import type { ErrorCode } from '../domain/errors';
import type { Json } from '../domain/json';
import type { SafePoint, Stop } from '../domain/stop';
import type { Held } from '../ledger/held';
import type { ProjectConfig } from '../pipeline/project-config';

/** For whom a call is bought. */
export interface BuyContext {
  readonly held: Held;
  /** The number of forces that name the item or its step (spec 20 "Force is obeyed once"). */
  readonly generation: number;
  /** `inDoubt.text`, `inDoubt.image`: what to do with a call that may have been charged. */
  readonly config: ProjectConfig;
  readonly safePoint: SafePoint;
}

/** What became of a call (spec 40). Only `bought` and `reused` bring results; `item_failed` concerns its items alone. */
export type BuyOutcome =
  | {
      readonly outcome: 'bought' | 'reused';
      readonly purchaseId: string;
      readonly requestHash: string;
      readonly results: Readonly<Record<string, Json>>;
      readonly model: string;
    }
  /** Refused, given up, invalid answers used up, or unavailable after all tries. Other items go on. */
  | { readonly outcome: 'item_failed'; readonly code: ErrorCode; readonly message: string }
  /** It may have been charged, and the policy is to ask. Other items go on; the step ends partial. */
  | { readonly outcome: 'in_doubt'; readonly purchaseId: string; readonly message: string }
  /** A cap is reached: the step ends partial with budget.exhausted. */
  | {
      readonly outcome: 'budget';
      readonly message: string;
      readonly capUsd: number;
      readonly committedUsd: number;
      readonly estimateUsd: number;
    }
  /** Nothing was charged, and no further call will do better. */
  | { readonly outcome: 'account'; readonly message: string }
  /** The provider asks to wait longer than a step may. */
  | { readonly outcome: 'rate_limited'; readonly message: string; readonly resumeAfterMs: number }
  | { readonly outcome: 'stopped'; readonly stop: Stop };

import type { ErrorCode } from '../domain/errors';
import type { SafePoint, Stop } from '../domain/stop';
import type { Held } from '../ledger/held';
import type { ItemOutcome, StepDefinition } from '../pipeline/definition';
import type { ProjectConfig } from '../pipeline/project-config';
import type { Generations } from '../store/generations';
import type { KeptItem } from '../store/items';
import type { StaleMark } from '../store/stale-marks';

export interface RunCallsContext {
  readonly held: Held;
  readonly step: StepDefinition;
  readonly config: ProjectConfig;
  readonly calls: ReturnType<StepDefinition['calls']>;
  readonly kept: ReadonlyMap<string, KeptItem>;
  /** Read before everything that the calls were made from. */
  readonly marks: ReadonlyMap<string, StaleMark>;
  /** Everything upstream is finished: only then does an unchanged request prove that nothing is to be looked at again. */
  readonly settled: boolean;
  readonly generations: Generations;
  readonly safePoint: SafePoint;
  /** Told after each item: for Temporal's heartbeat details. */
  progress(done: number, failed: number, total: number): void;
}

export interface CallsResult {
  readonly outcomes: ReadonlyMap<string, ItemOutcome>;
  readonly applicable: number;
  readonly completed: number;
  readonly failed: number;
  /** Asked to stop before all was done. */
  readonly stop: Stop | null;
  /** What keeps the rest from being bought for now: budget, account, rate limit; or items in doubt. The step ends partial. */
  readonly halted: { readonly code: ErrorCode; readonly message: string } | null;
  readonly requestHashes: readonly string[];
}

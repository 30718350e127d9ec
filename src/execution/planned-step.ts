import type { ForecastStep } from './forecast';

/** What a run would do with one item (spec 40 "Plan"). */
export interface PlannedItem {
  readonly itemId: string;
  readonly action: 'buy' | 'reuse' | 'in_doubt' | 'keep_failed';
  readonly reason: string;
}

/** A step of a plan. `estimated`: an earlier step of the same plan makes what it reads, so figures and items may differ. */
export interface PlannedStep extends ForecastStep {
  readonly calls: number;
  readonly costUsd: number;
  readonly reused: number;
  readonly inDoubt: number;
  readonly estimated: boolean;
  readonly items: readonly PlannedItem[];
  /** Of what is asked, where that is known already. */
  readonly requestHashes: readonly string[];
}

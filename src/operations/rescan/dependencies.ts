import type { AiSettings, RescanSettings } from '../../config';
import type { RescanClient } from '../../temporal/rescan-client';
import type { Asking } from '../contexts/asking';
import type { ContextDependencies } from '../contexts/dependencies';
import type { TemporalUi } from '../contract';

export interface RescanDependencies extends ContextDependencies {
  readonly asking: Asking;
  readonly deployment: string;
  readonly rescan: RescanSettings;
  readonly ai: AiSettings;
  /** null: Temporal is not reachable from here. */
  readonly loop: RescanClient | null;
  readonly temporalUi: TemporalUi | undefined;
  sleep(ms: number): Promise<void>;
}

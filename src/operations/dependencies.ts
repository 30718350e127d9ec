import type { EpisodeClient } from '../client';
import type { JudgingDependencies } from '../execution/dependencies';
import type { StepRun } from '../db/tables';
import type { ProjectConfig } from '../pipeline/project-config';
import type { ProviderLimits, ProviderRequest } from '../providers/port';
import type { TemporalUi } from './contract';

/** What the operations need; doors have an empty registry, and may be without Temporal. */
export interface OperationDependencies extends JudgingDependencies {
  /** Who judges, for `seenBy`. */
  readonly role: string;
  /** null: Temporal is not reachable from here (a command that only reads or releases). */
  readonly temporal: {
    readonly client: EpisodeClient;
    /** Tells Temporal that the attempt of a dead owner has failed; false: it was not heard. */
    readonly tell: (row: StepRun, reason: string) => Promise<boolean>;
  } | null;
  readonly temporalUi: TemporalUi | undefined;
  newId(): string;
  sleep(ms: number): Promise<void>;
  /** Upper estimate of a request, in US dollars. */
  estimateUsd(request: ProviderRequest, config: ProjectConfig): number;
  /** How many calls a provider takes at once and a minute. Throws config.invalid where it is not set up. */
  limitsOf(provider: string, config: ProjectConfig): ProviderLimits;
}

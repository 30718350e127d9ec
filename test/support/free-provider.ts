import type { OperationDependencies } from '../../src/operations/dependencies';

/** What operations know of a provider, where a test is not about money. */
export const FREE_PROVIDER: Pick<OperationDependencies, 'estimateUsd' | 'limitsOf'> = {
  estimateUsd: () => 0,
  limitsOf: () => ({ concurrentCalls: 4, callsPerMinute: 60 }),
};

import { askLoop, runAndWait } from './act';
import type { RescanOperations } from './contract';
import type { RescanDependencies } from './dependencies';
import { rescanMetricsText } from './metrics';
import { retryAll, retryContext } from './retry';
import { rescanFigures, rescanStatus } from './status';

/** The operations on the rescan, for every door (spec 30). */
export function openRescan(deps: RescanDependencies): RescanOperations {
  return {
    status: () => rescanStatus(deps),
    act: (act, by) => askLoop(deps, act, by),
    runAndWait: (by, withinMs) => runAndWait(deps, by, withinMs),
    retry: (input) => retryContext(deps, input),
    retryAll: (input) => retryAll(deps, input),
    metrics: async () => rescanMetricsText(await rescanFigures(deps)),
  };
}

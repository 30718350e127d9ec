import type { Client } from '@temporalio/client';
import { PROGRESS_QUERY } from '../domain/names';
import type { Logger } from '../observability/logger';

/** As many as a start reclaims in practice; more would only take the time of what it wants to be quick at. */
const AT_MOST = 4;
const DEADLINE_MS = 5_000;

/**
 * Asks the workflows of taken-over steps how far they are, while the steps go on: the worker that answers has loaded the workflow
 * code and replayed the run by the time the step ends, so that the next step is not held up by that (spec 15 "Fast takeover").
 * Whatever goes wrong here costs nothing but that time, and is logged.
 */
export async function warmWorkflows(client: Client, log: Logger, workflowIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(workflowIds)].slice(0, AT_MOST);
  const ask = async (workflowId: string): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        client.workflow.getHandle(workflowId).query(PROGRESS_QUERY),
      );
    } catch (error) {
      log.debug({ workflowId, err: error }, 'a workflow was not loaded ahead of time');
    }
  };
  await Promise.all(ids.map(ask));
}

import { proxyActivities } from '@temporalio/workflow';
import type { PlainActivities, PlainInput } from './contract';

/** Two activities, one after the other, with nothing but Temporal's own means: a heartbeat timeout, and details to go on from. */
export async function twoSteps(input: PlainInput): Promise<void> {
  const { first, second } = proxyActivities<PlainActivities>({
    startToCloseTimeout: '1h',
    heartbeatTimeout: input.heartbeatTimeoutMs,
    retry: { initialInterval: '100ms' },
  });
  await first(input);
  await second(input);
}

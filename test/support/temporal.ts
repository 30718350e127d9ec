import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalAddress } from './settings';

export interface TestTemporal {
  readonly address: string;
  /** The SDK's test environment on the test run's server (spec 50): client, connections, no skipping of time. */
  readonly environment: TestWorkflowEnvironment;
  /** A task queue that no other test polls. */
  readonly taskQueue: string;
  close(): Promise<void>;
}

/** For one test file; close it in `afterAll`, after its workers. Workflow ids must be unique: the server is shared. */
export async function openTestTemporal(): Promise<TestTemporal> {
  const address = temporalAddress();
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address });
  return { address, environment, taskQueue: `test-${randomUUID()}`, close: () => environment.teardown() };
}

import { type StubActivities, delegateTo, openTestRuns, type TestRuns } from './episode-run';
import { quietRuntime } from './rescan-loop';
import { openTestTemporal, type TestTemporal } from './temporal';

export interface StubbedRuns {
  readonly temporal: TestTemporal;
  readonly runs: TestRuns;
  close(): Promise<void>;
}

/** A worker that runs the workflow, with the activities of whatever `stub` answers at the time. */
export async function openStubbedRuns(stub: () => StubActivities): Promise<StubbedRuns> {
  quietRuntime();
  const temporal = await openTestTemporal();
  const runs = openTestRuns(temporal);
  const stop = await runs.work(delegateTo(stub));
  return {
    temporal,
    runs,
    close: async () => {
      await stop();
      await temporal.close();
    },
  };
}

import { TestWorkflowEnvironment } from '@temporalio/testing';
import { killGroup } from './process-end';
import { TEMPORAL_CLI_VERSION } from './temporal-binary';

/** Entry: has the SDK download Temporal's command line into the folder named. Ends when standard input closes. */
async function main(downloadDir: string): Promise<void> {
  process.stdin.resume();
  process.stdin.once('close', () => {
    // With the server that may be tried just now.
    killGroup(process.pid);
    process.exit(1);
  });
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version: TEMPORAL_CLI_VERSION } },
  });
  await environment.teardown();
}

main(process.argv[2] ?? '').then(
  () => process.exit(0),
  (error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}`.replaceAll('\n', ' '));
    process.exit(1);
  },
);

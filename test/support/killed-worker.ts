import { readConfig } from '../../src/config';
import type { EpisodeRef } from '../../src/operations/contract';
import { openOperations } from '../../src/wiring';
import { eventually } from './eventually';
import { WorkerProcess } from './worker-process';

export interface KillScene {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly artifactDir: string;
  readonly episode: EpisodeRef;
}

/** A run whose worker is killed in the middle of a paid call, and another one takes it to its end. Needs `dist`. */
export async function killAndTakeOver({
  databaseUrl,
  temporalAddress,
  artifactDir,
  episode,
}: KillScene): Promise<{ workflowId: string; runId: string }> {
  const names = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, ARTIFACT_DIR: artifactDir };
  const env = { ...names, CALLSHEET_HOST_NAME: 'studio', LOG_LEVEL: 'error' };
  const operations = await openOperations({
    config: readConfig(names),
    databaseUrl,
    temporalAddress,
    role: 'test',
    stays: true,
  });
  const first = new WorkerProcess({ env: { ...env, CALLSHEET_OFFLINE_DELAY_MS: '60000' } });
  const second = (): WorkerProcess => new WorkerProcess({ env });
  try {
    await first.ready();
    const { workflowId, runId } = await operations.startRun({ ...episode, by: 'test' });
    await eventually('a call is in flight', async () => {
      const sent = await operations.db
        .selectFrom('purchase')
        .select('id')
        .where('project_id', '=', episode.projectId)
        .where('status', '=', 'sent')
        .execute();
      return sent.length > 0;
    });
    await first.kill();
    const successor = second();
    try {
      await operations.waitForRun({ workflowId, workflowRunId: runId! });
    } finally {
      await successor.kill();
    }
    return { workflowId, runId: runId! };
  } finally {
    await first.kill();
    await operations.close();
  }
}

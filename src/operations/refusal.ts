import type { LocksBody } from '../bodies/locks';
import type { ProblemBody } from '../bodies/problem';
import type { ReleaseRequest, StartAnswer } from './contract';

/** What a refused start tells besides its reason, the same at every door (spec 15 "Starting"). */
export function startRefusal({
  decisions,
  differences,
  inTheWay,
}: StartAnswer): Pick<ProblemBody, 'decisions' | 'differences' | 'run'> {
  return {
    decisions: [...decisions],
    ...(differences && { differences: [...differences] }),
    ...(inTheWay && {
      run: { workflowId: inTheWay.workflowId, runId: inTheWay.workflowRunId, url: inTheWay.url },
    }),
  };
}

/** A refused release shows the row as it is now; null: it does not run any more (spec 10 "Release"). Throws db.unavailable. */
export async function releaseRefusal(
  operations: { locks(of: Pick<ReleaseRequest, 'projectId' | 'episodeId'>): Promise<LocksBody> },
  { projectId, episodeId, stepId, rowId }: Omit<ReleaseRequest, 'by'>,
): Promise<Pick<ProblemBody, 'lock'>> {
  const { locks } = await operations.locks({ projectId, episodeId });
  return { lock: locks.find((lock) => (rowId === undefined ? lock.stepId === stepId : lock.id === rowId)) ?? null };
}

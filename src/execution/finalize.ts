import { shortTransaction } from '../db/transaction';
import type { Json } from '../domain/json';
import type { StepId } from '../domain/steps';
import { hashOf } from '../hash';
import { endRow } from '../ledger/end-row';
import { lockHeldRow } from '../ledger/fence';
import type { Held } from '../ledger/held';
import { saveCheckpoint } from '../store/checkpoints';
import { withoutNul } from '../store/decisions';
import { staleMarks } from '../store/stale-marks';
import type { StepDefinition } from '../pipeline/definition';
import { configHashes } from './decide-step';
import type { ExecutionDependencies } from './dependencies';
import { unfinishedAbove, type EpisodeView } from './episode-view';
import { finalStatus, type FinalStatus } from './final-status';
import type { CallsResult } from './calls';
import type { CompletionReport } from '../domain/completion';
import { untilWritten } from './until-written';

export interface Candidate {
  readonly body: Json;
  readonly report: CompletionReport;
}

export interface FinalizeRequest {
  readonly held: Held;
  readonly step: StepDefinition;
  readonly view: EpisodeView;
  readonly calls: CallsResult;
  /** null: no item is done, and there is nothing to save. */
  readonly candidate: Candidate | null;
  /** All items are done, and yet something is left to do: an editor's changes were not applied. */
  readonly workLeft: boolean;
}

/**
 * Checkpoint, status, counts and recovery counters in one transaction under the fence (spec 20 "Running and finalizing", 4 to
 * 6): a survivor of a lost lock writes neither. null: ownership was lost. Waits for the database as long as it takes.
 */
export function finalize(deps: ExecutionDependencies, request: FinalizeRequest): Promise<FinalStatus | null> {
  const { held, step, view, calls, candidate } = request;
  const doing = `Finalizing ${step.id}`;
  return untilWritten(deps, doing, () =>
    shortTransaction(deps.db, doing, async (tx) => {
      if (!(await lockHeldRow(tx, held))) return null;
      const marks = await staleMarks(tx, held);
      const waitsFor = unfinishedAbove(view, step.id);
      const final = finalStatus(calls, candidate?.report ?? null, marks.size, request.workLeft, waitsFor);
      if (candidate && candidate.report.origin !== 'verify_crashed')
        await saveCheckpoint(tx, held, {
          schemaVersion: step.schemaVersion,
          configHashes: configHashes(step, view.config),
          body: candidate.body,
          status: final.status,
          runId: held.runId,
          writtenBy: step.id,
        });
      const stop = calls.stop;
      await endRow(tx, held, {
        status: final.status,
        applicableCount: calls.applicable,
        completedCount: calls.completed,
        failedCount: calls.failed,
        errorMessage: final.message === null ? null : withoutNul(final.message),
        resultSummary: `${calls.completed} of ${calls.applicable} items`,
        ...evidenceOf(step, view, calls),
        recoveryReason: stop?.why === 'handed_back' ? `handed back: ${stop.cause}` : null,
      });
      return final;
    }),
  );
}

/** Recorded as evidence, never judged (spec 20 "Items"). */
export function evidenceOf(step: StepDefinition, view: EpisodeView, calls: Pick<CallsResult, 'requestHashes'>) {
  return {
    resolvedModel: view.config[step.kind === 'text' ? 'model.text' : 'model.image'],
    inputHash: hashOf(calls.requestHashes),
    upstreamRevision: step.needs.map((need: StepId) => `${need}@${view.checkpoints.get(need)?.version ?? 0}`).join(' '),
  };
}

/** Ends the held run as failed, or hands it back, under the fence; nothing else is written. False: ownership was lost. */
export function endWithoutCheckpoint(
  deps: Pick<ExecutionDependencies, 'db' | 'log' | 'sleep'>,
  held: Held,
  end: {
    readonly status: 'failed' | 'pending' | 'cancelled';
    readonly message: string | null;
    readonly recoveryReason: string | null;
  },
): Promise<boolean> {
  const doing = `Ending ${held.stepId}`;
  return untilWritten(deps, doing, () =>
    shortTransaction(deps.db, doing, async (tx) => {
      const row = await tx
        .selectFrom('step_run')
        .select(['applicable_count', 'completed_count', 'failed_count'])
        .where('project_id', '=', held.projectId)
        .where('episode_id', '=', held.episodeId)
        .where('step_id', '=', held.stepId)
        .executeTakeFirst();
      return endRow(tx, held, {
        status: end.status,
        applicableCount: row?.applicable_count ?? null,
        completedCount: row?.completed_count ?? 0,
        failedCount: row?.failed_count ?? 0,
        errorMessage: end.message === null ? null : withoutNul(end.message),
        resultSummary: null,
        resolvedModel: null,
        inputHash: null,
        upstreamRevision: null,
        recoveryReason: end.recoveryReason,
      });
    }),
  );
}

import type { StatusBody, StepStatusBody } from '../../bodies/status';
import type { OwnerBody } from '../../bodies/owner';
import { withDatabaseErrors } from '../../db/errors';
import type { Db, Tx } from '../../db/pool';
import type { StepRun } from '../../db/tables';
import { AppError } from '../../domain/errors';
import { STEP_IDS, isStepId } from '../../domain/steps';
import { costOf, type StepCost } from '../../purchases/cost-of';
import type { EpisodeRef, TemporalUi } from '../contract';
import { readCancelMeter } from './cancel-meter';
import { databaseNow, onOneSnapshot } from './database-now';
import { episodeState } from './episode-state';
import { sumUsd } from './dollars';
import { workflowUrl } from './workflow-url';

/** The body, and what only people look at: the clock that ages are told by, and the title. */
export interface StatusReading {
  readonly body: StatusBody;
  readonly now: string;
  readonly title: string | null;
  /** Steps of a cancel that was asked for, while their rows still run. */
  readonly cancelRequested: ReadonlySet<string>;
}

/**
 * The state of an episode on one snapshot (spec 50 "status"). Also of an episode without a record, and of steps that the
 * manifest does not know, which come last. Writes nothing. Throws episode.unknown where nothing at all bears the id;
 * db.unavailable.
 */
export async function readStatus(db: Db, episode: EpisodeRef, temporalUi?: TemporalUi): Promise<StatusReading> {
  return withDatabaseErrors('Reading the status failed', () =>
    onOneSnapshot(db, (tx) => readIn(tx, episode, temporalUi)),
  );
}

async function readIn(tx: Tx, episode: EpisodeRef, temporalUi: TemporalUi | undefined): Promise<StatusReading> {
  const { projectId, episodeId } = episode;
  const now = await databaseNow(tx);
  const rows = await tx
    .selectFrom('step_run')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .execute();
  const record = await tx
    .selectFrom('episode')
    .select('title')
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .executeTakeFirst();
  const runs = await newestRuns(tx, episode);
  const costs = await costOf(tx, projectId, episodeId);
  if (!record && rows.length === 0 && runs.length === 0 && costs.length === 0)
    throw new AppError(
      'episode.unknown',
      `There is no episode ${JSON.stringify(episodeId)} in project ${JSON.stringify(projectId)}.`,
    );

  const byStep = new Map(rows.map((row) => [row.step_id, row]));
  const spent = new Map(costs.map((cost) => [cost.stepId, cost]));
  const strangers = [...new Set([...byStep.keys(), ...spent.keys()])].filter((step) => !isStepId(step)).sort();
  const steps = [...STEP_IDS, ...strangers].map((step) => stepOf(step, byStep.get(step), spent.get(step)));
  const open = runs.filter((run) => run.ended_at === null);
  const shown = open[0] ?? runs[0];
  const ref = shown && { workflowId: shown.workflow_id, workflowRunId: shown.workflow_run_id };
  return {
    now,
    title: record?.title ?? null,
    cancelRequested: new Set(
      rows.filter((row) => row.status === 'running' && row.cancel_requested_at !== null).map((row) => row.step_id),
    ),
    body: {
      projectId,
      episodeId,
      state: episodeState({
        openRun: open.length > 0,
        lastRunState: runs.find((run) => run.ended_at !== null)?.state ?? null,
        statuses: steps.map((step) => step.status),
      }),
      workflow: ref ? { id: ref.workflowId, runId: ref.workflowRunId, url: workflowUrl(temporalUi, ref) } : null,
      steps,
      costUsd: sumUsd(costs.map((cost) => cost.costUsd)),
      inDoubt: costs.reduce((sum, cost) => sum + cost.inDoubt, 0),
      atRiskUsd: sumUsd(costs.map((cost) => cost.atRiskUsd)),
      cancel: await readCancelMeter(tx, open.length > 0 ? open : runs.slice(0, 1), rows, now),
    },
  };
}

/** Open runs first, then the newest; a few are enough to tell the state. Times here are the database's own, so they sort as text. */
function newestRuns(tx: Tx, { projectId, episodeId }: EpisodeRef) {
  return tx
    .selectFrom('run')
    .select(['workflow_id', 'workflow_run_id', 'ended_at', 'state'])
    .where('project_id', '=', projectId)
    .where('episode_id', '=', episodeId)
    .orderBy((expression) => expression('ended_at', 'is not', null))
    .orderBy('opened_at', 'desc')
    .limit(10)
    .execute();
}

function stepOf(stepId: string, row: StepRun | undefined, spent: StepCost | undefined): StepStatusBody {
  return {
    stepId,
    status: row?.status ?? 'pending',
    runId: row?.run_id ?? null,
    owner: row ? ownerOf(row) : null,
    startedAt: row?.started_at ?? null,
    heartbeatAt: row?.heartbeat_at ?? null,
    completedAt: row?.completed_at ?? null,
    applicableCount: row?.applicable_count ?? null,
    completedCount: row?.completed_count ?? 0,
    failedCount: row?.failed_count ?? 0,
    recoveryCount: row?.recovery_count ?? 0,
    lastRecoveryReason: row?.last_recovery_reason ?? null,
    errorMessage: row?.error_message ?? null,
    calls: spent?.calls ?? 0,
    costUsd: spent?.costUsd ?? 0,
    inDoubt: spent?.inDoubt ?? 0,
    atRiskUsd: spent?.atRiskUsd ?? 0,
  };
}

/** The owner on the row, also of a run that has ended; null where the row names nobody. */
export function ownerOf(
  row: Pick<StepRun, 'owner_host' | 'owner_host_id' | 'owner_pid' | 'owner_boot_id'>,
): OwnerBody | null {
  const owner = { host: row.owner_host, hostId: row.owner_host_id, pid: row.owner_pid, bootId: row.owner_boot_id };
  return Object.values(owner).every((part) => part === null) ? null : owner;
}

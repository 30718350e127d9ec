import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/db/pool';
import type { StepRun } from '../../src/db/tables';
import { STEP_IDS, type StepId } from '../../src/domain/steps';
import { sha256 } from '../../src/hash';
import type { StepKey } from '../../src/ledger/key';

const SCREENPLAY = 'INT. KITCHEN - DAY\n\nMARA waits by the window.\n\nEXT. GARDEN - NIGHT\n\nMARA and TOMAS dig.\n';

/** An episode of a project of its own, with an open run of the ledger. */
export interface TestEpisode {
  readonly projectId: string;
  readonly episodeId: string;
  readonly workflowId: string;
  readonly runId: string;
  key(step: StepId): StepKey & { readonly stepId: StepId };
  row(step: StepId): Promise<StepRun>;
  rows(): Promise<StepRun[]>;
  /** Changes a row by hand, behind everybody's back. */
  patch(step: StepId, change: Partial<StepRun>): Promise<void>;
  /** Writes a row by hand. */
  insert(step: StepId, row: Partial<StepRun>): Promise<void>;
  /** Another open run of the episode. */
  openRun(workflowId?: string): Promise<string>;
  endRun(runId?: string): Promise<void>;
  cancel(step: StepId | '*', runId?: string): Promise<void>;
  bodyOf(step: StepId): Promise<string | undefined>;
  versions(step: StepId): Promise<number[]>;
  kept(step: StepId): Promise<string[]>;
  marks(step: StepId): Promise<string[]>;
  /** All that the ledger holds of the episode: to show that nothing has changed. */
  everything(): Promise<Record<string, unknown[]>>;
}

const TABLES = [
  'step_run',
  'checkpoint',
  'item_result',
  'stale_mark',
  'generation',
  'audit',
  'purchase',
  'step_decision',
  'run',
] as const;

export async function createTestEpisode(db: Db, screenplay = SCREENPLAY): Promise<TestEpisode> {
  const [projectId, episodeId] = [`p-${randomUUID().slice(0, 8)}`, 'e1'];
  await db
    .insertInto('episode')
    .values({
      project_id: projectId,
      episode_id: episodeId,
      title: 'Test',
      screenplay,
      screenplay_version: 1,
      screenplay_hash: sha256(screenplay),
    })
    .execute();
  const workflowId = `episode/${projectId}/${episodeId}`;
  const of = (step: StepId) => ({ project_id: projectId, episode_id: episodeId, step_id: step });
  const openRun = async (workflow = workflowId): Promise<string> => {
    const runId = randomUUID();
    await db
      .insertInto('run')
      .values({
        workflow_run_id: runId,
        workflow_id: workflow,
        project_id: projectId,
        episode_id: episodeId,
        request_id: randomUUID(),
        chosen: JSON.stringify(STEP_IDS),
        force: '[]',
        items: '{}',
        screenplay_version: 1,
        accepted_at: sql<string>`callsheet_now()`,
        state: 'open',
      })
      .execute();
    return runId;
  };
  const runId = await openRun();
  const stepRun = () =>
    db.selectFrom('step_run').selectAll().where('project_id', '=', projectId).where('episode_id', '=', episodeId);
  return {
    projectId,
    episodeId,
    workflowId,
    runId,
    openRun,
    key: (stepId) => ({ projectId, episodeId, stepId }),
    row: (step) => stepRun().where('step_id', '=', step).executeTakeFirstOrThrow(),
    rows: () => stepRun().orderBy('step_id').execute(),
    patch: async (step, change) => {
      await db
        .updateTable('step_run')
        .set(change)
        .where('project_id', '=', projectId)
        .where('step_id', '=', step)
        .execute();
    },
    insert: async (step, row) => {
      const now = '2026-03-25 04:12:11.123456+00';
      await db
        .insertInto('step_run')
        .values({
          id: randomUUID(),
          ...of(step),
          status: 'running',
          created_at: now,
          updated_at: now,
          recovery_count: 0,
          ...row,
        })
        .execute();
    },
    endRun: async (run = runId) => {
      await db
        .updateTable('run')
        .set({ ended_at: sql`callsheet_now()`, state: 'failed' })
        .where('workflow_run_id', '=', run)
        .execute();
    },
    cancel: async (step, run = runId) => {
      await db.insertInto('run_cancel').values({ workflow_run_id: run, step, by: 'test' }).execute();
    },
    bodyOf: async (step) => {
      const newest = await db
        .selectFrom('checkpoint')
        .select('body')
        .where('project_id', '=', projectId)
        .where('step_id', '=', step)
        .orderBy('version', 'desc')
        .executeTakeFirst();
      return newest?.body;
    },
    versions: async (step) => {
      const all = await db
        .selectFrom('checkpoint')
        .select('version')
        .where('project_id', '=', projectId)
        .where('step_id', '=', step)
        .orderBy('version')
        .execute();
      return all.map((row) => row.version);
    },
    kept: async (step) => {
      const all = await db
        .selectFrom('item_result')
        .select('item_id')
        .where('project_id', '=', projectId)
        .where('step_id', '=', step)
        .where('archived_at', 'is', null)
        .orderBy('item_id')
        .execute();
      return all.map((row) => row.item_id);
    },
    marks: async (step) => {
      const all = await db
        .selectFrom('stale_mark')
        .select('item_id')
        .where('project_id', '=', projectId)
        .where('step_id', '=', step)
        .orderBy('item_id')
        .execute();
      return all.map((row) => row.item_id);
    },
    everything: async () => {
      const found: Record<string, unknown[]> = {};
      for (const table of TABLES) {
        const { rows } =
          await sql`SELECT to_jsonb(t) AS row FROM ${sql.table(table)} t WHERE project_id = ${projectId} ORDER BY to_jsonb(t)::text`.execute(
            db,
          );
        found[table] = rows;
      }
      return found;
    },
  };
}

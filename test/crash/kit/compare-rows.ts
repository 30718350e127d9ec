import type { Db } from '../../../src/db/pool';
import type { Attempt } from './attempt';

/** What a run has made: for each step its status, its count, and its items with what they were made from. */
export interface Made {
  readonly steps: Readonly<Record<string, string>>;
  readonly items: readonly string[];
}

/**
 * `whole`: items with the hash of their request and their result. Over HTTP the pictures of the fake differ from request to
 * request, so only the names of the items can be compared.
 */
export async function readMade(db: Db, whole: boolean): Promise<Made> {
  const rows = await db.selectFrom('step_run').selectAll().orderBy('step_id').execute();
  const items = await db
    .selectFrom('item_result')
    .selectAll()
    .where('archived_at', 'is', null)
    .orderBy('step_id')
    .orderBy('item_id')
    .execute();
  return {
    steps: Object.fromEntries(
      rows.map((row) => [row.step_id, `${row.status} ${row.completed_count} of ${row.applicable_count}`]),
    ),
    items: items.map((item) =>
      [item.step_id, item.item_id, item.status, ...(whole ? [item.request_hash, item.result] : [])].join(' '),
    ),
  };
}

/** Items are what was asked; no row runs, no run is open; checkpoints and statuses agree. */
export async function compareRows(attempt: Attempt, asked: Made | null): Promise<string[]> {
  const { db } = attempt.world;
  const made = await readMade(db, attempt.options.variant === 'offline');
  return [...(asked ? differences(made, asked) : []), ...(await openEnds(db)), ...(await checkpointsThatDisagree(db))];
}

function differences(made: Made, asked: Made): string[] {
  const steps = Object.keys({ ...asked.steps, ...made.steps })
    .filter((step) => made.steps[step] !== asked.steps[step])
    .map((step) => `step ${step} is ${made.steps[step] ?? 'absent'}, not ${asked.steps[step] ?? 'absent'}`);
  const lacking = asked.items.filter((item) => !made.items.includes(item));
  const beyond = made.items.filter((item) => !asked.items.includes(item));
  const doubled = made.items.filter((item, at) => made.items.indexOf(item) !== at);
  return [
    ...steps,
    ...lacking.map((item) => `an item is missing: ${item.slice(0, 200)}`),
    ...beyond.map((item) => `an item was not asked: ${item.slice(0, 200)}`),
    ...doubled.map((item) => `an item is there twice: ${item.slice(0, 200)}`),
  ];
}

async function openEnds(db: Db): Promise<string[]> {
  const running = await db.selectFrom('step_run').select('step_id').where('status', '=', 'running').execute();
  const open = await db.selectFrom('run').select('workflow_run_id').where('ended_at', 'is', null).execute();
  return [
    ...running.map((row) => `the row of ${row.step_id} still runs`),
    ...open.map((run) => `run ${run.workflow_run_id} is still open in the ledger`),
  ];
}

async function checkpointsThatDisagree(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('step_run').select(['step_id', 'status', 'run_id']).execute();
  const losses: string[] = [];
  for (const row of rows) {
    const newest = await db
      .selectFrom('checkpoint')
      .select(['status', 'run_id', 'version'])
      .where('step_id', '=', row.step_id)
      .orderBy('version', 'desc')
      .executeTakeFirst();
    if (!newest) losses.push(`${row.step_id} is ${row.status} and has no checkpoint`);
    else if (newest.status !== row.status || newest.run_id !== row.run_id)
      losses.push(
        `${row.step_id} is ${row.status} by run ${row.run_id}, and its checkpoint ${newest.version} says ${newest.status} by run ${newest.run_id}`,
      );
  }
  return losses;
}

import { sql } from 'kysely';
import type { Tx } from '../db/pool';
import type { ProcessIdentity } from '../domain/identity';
import type { Held } from '../ledger/held';
import { toNumeric } from './money';
import type { RequestKey } from './request-key';

export interface NewPurchase {
  readonly id: string;
  readonly key: RequestKey;
  readonly itemId: string;
  readonly provider: string;
  readonly model: string;
  readonly estimateUsd: number;
  readonly idempotencyKey: string;
  readonly keyHonoured: boolean;
  /** Send window and call deadline together. */
  readonly answerWithinMs: number;
}

/** Writes the purchase as `sent`; times are the database's. A unique violation says that the request is open already. */
export async function insertSent(tx: Tx, purchase: NewPurchase, held: Held, owner: ProcessIdentity): Promise<void> {
  const { key } = purchase;
  const seconds = purchase.answerWithinMs / 1000;
  await tx
    .insertInto('purchase')
    .values({
      id: purchase.id,
      project_id: key.projectId,
      episode_id: key.episodeId,
      step_id: key.stepId,
      item_id: purchase.itemId,
      provider: purchase.provider,
      model: purchase.model,
      request_hash: key.requestHash,
      generation: key.generation,
      status: 'sent',
      run_id: held.runId,
      workflow_run_id: held.workflowRunId,
      owner_host: owner.host,
      owner_host_id: owner.hostId,
      owner_pid: owner.pid,
      owner_boot_id: owner.bootId,
      estimated_cost_usd: toNumeric(purchase.estimateUsd),
      idempotency_key: purchase.idempotencyKey,
      key_honoured: purchase.keyHonoured,
      sent_at: sql<string>`callsheet_now()`,
      deadline_at: sql<string>`to_char(
        (clock_timestamp() + make_interval(secs => ${seconds}::double precision)) AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    })
    .execute();
}

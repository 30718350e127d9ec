import { sql } from 'kysely';
import { AppError } from '../domain/errors';
import type { Db, Tx } from '../db/pool';
import type { Purchase } from '../db/tables';
import { shortTransaction } from '../db/transaction';

export type HandSettlement = 'buy-again' | 'give-up';

export interface SettledByHand {
  readonly purchase: Purchase;
  /** False: the same had been said before. */
  readonly changed: boolean;
}

interface Found extends Purchase {
  readonly overdue: boolean;
}

function lock(tx: Tx, id: string): Promise<Found | undefined> {
  const overdue = sql<boolean>`status = 'sent' AND deadline_at COLLATE "C" < callsheet_now() COLLATE "C"`;
  return tx
    .selectFrom('purchase')
    .selectAll()
    .select(overdue.as('overdue'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

async function write(tx: Tx, found: Purchase, what: HandSettlement, by: string): Promise<Purchase> {
  await tx
    .insertInto('audit')
    .values({
      by,
      act: `purchase.${what}`,
      project_id: found.project_id,
      episode_id: found.episode_id,
      step_id: found.step_id,
      run_id: found.run_id,
      details: JSON.stringify({
        purchaseId: found.id,
        itemId: found.item_id,
        estimatedCostUsd: Number(found.estimated_cost_usd),
      }),
    })
    .execute();
  return tx
    .updateTable('purchase')
    .set({ settled_by_operator: what, status: what === 'give-up' ? 'closed' : 'in_doubt' })
    .where('id', '=', found.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function settle(tx: Tx, id: string, what: HandSettlement, by: string): Promise<SettledByHand> {
  const found = await lock(tx, id);
  if (!found) throw new AppError('purchase.unknown', `There is no purchase ${JSON.stringify(id.slice(0, 80))}.`);
  if (found.settled_by_operator === what && (found.status === 'closed') === (what === 'give-up'))
    return { purchase: found, changed: false };
  if (found.status !== 'in_doubt' && !found.overdue)
    throw new AppError('purchase.not_in_doubt', `Purchase ${id} is ${found.status}, not in doubt.`);
  return { purchase: await write(tx, found, what, by), changed: true };
}

/**
 * The operator decides about a call that may have been charged (spec 40): *buy again*: it stays in doubt until the next run
 * asks anew and closes it; *give up*: it is closed, its items fail, and only redo or --items asks them again. Audited. An open
 * one beyond its deadline counts as in doubt. Saying the same again changes nothing. Throws purchase.unknown,
 * purchase.not_in_doubt, db.unavailable, db.lock_timeout.
 */
export function settleByHand(db: Db, id: string, what: HandSettlement, by: string): Promise<SettledByHand> {
  return shortTransaction(db, 'Settling a purchase by hand', (tx) => settle(tx, id, what, by));
}

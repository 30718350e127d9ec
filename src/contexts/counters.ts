import { sql } from 'kysely';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';

export interface Increment {
  readonly name: string;
  readonly label: string;
  readonly by: number;
}

/**
 * Adds to the sums that metrics show. In the order of their keys, so that two rounds at once wait for each other, never in a
 * circle. Throws db.unavailable, db.lock_timeout: a figure is no reason to hang.
 */
export async function addToCounters(db: Db, increments: readonly Increment[]): Promise<void> {
  const values = increments
    .filter(({ by }) => by > 0)
    .sort((one, other) => (`${one.name} ${one.label}` < `${other.name} ${other.label}` ? -1 : 1))
    .map(({ name, label, by }) => ({ name, label, value: by }));
  if (values.length === 0) return;
  await shortTransaction(db, 'Counting', (tx) =>
    tx
      .insertInto('ai.rescan_counter')
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(['name', 'label']).doUpdateSet({ value: sql`rescan_counter.value + excluded.value` }),
      )
      .execute(),
  );
}

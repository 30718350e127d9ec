import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/pool';
import { shortTransaction } from '../db/transaction';

export interface Increment {
  readonly name: string;
  readonly label: string;
  readonly by: number;
}

export interface Counted {
  readonly name: string;
  readonly label: string;
  readonly to: number;
}

/** Adds to the sums that metrics show. Throws db.unavailable, db.lock_timeout: a figure is no reason to hang. */
export function addToCounters(db: Db, increments: readonly Increment[]): Promise<void> {
  return write(db, increments, sql`rescan_counter.value + excluded.value`);
}

/** Raises sums that somebody else counts to what he says; none goes down. Throws db.unavailable, db.lock_timeout. */
export function raiseCounters(db: Db, counted: readonly Counted[]): Promise<void> {
  const increments = counted.map(({ name, label, to }) => ({ name, label, by: to }));
  return write(db, increments, sql`greatest(rescan_counter.value, excluded.value)`);
}

/** In the order of their keys, so that two rounds at once wait for each other, never in a circle. */
async function write(db: Db, increments: readonly Increment[], becomes: RawBuilder<number>): Promise<void> {
  const values = increments
    .filter(({ by }) => by > 0)
    .sort((one, other) => (`${one.name} ${one.label}` < `${other.name} ${other.label}` ? -1 : 1))
    .map(({ name, label, by }) => ({ name, label, value: by }));
  if (values.length === 0) return;
  await shortTransaction(db, 'Counting', (tx) =>
    tx
      .insertInto('ai.rescan_counter')
      .values(values)
      .onConflict((conflict) => conflict.columns(['name', 'label']).doUpdateSet({ value: becomes }))
      .execute(),
  );
}

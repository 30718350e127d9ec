import type { Purchase } from '../../../src/db/tables';
import type { Attempt } from './attempt';
import { VARIANTS, type TillLine } from './variant';

const CENT_FRACTION_USD = 1e-9;
/** Statuses of a purchase that may have been charged. */
const MAY_BE_CHARGED = new Set(['settled', 'invalid', 'refused', 'in_doubt', 'closed']);

export interface Books {
  readonly losses: readonly string[];
  readonly repeats: number;
}

/** The provider's own till beside our purchases, key by key; and nothing that was settled was bought again. */
export async function compareBooks({ world, till, options }: Attempt): Promise<Books> {
  const purchases = await world.db.selectFrom('purchase').selectAll().orderBy('created_at').orderBy('id').execute();
  const keys = new Set([...till.map((line) => line.key), ...purchases.map((purchase) => purchase.idempotency_key)]);
  const { keysHonoured } = VARIANTS[options.variant];
  const losses = [...keys].flatMap((key) => {
    const lines = till.filter((line) => line.key === key);
    const bought = purchases.filter((purchase) => purchase.idempotency_key === key);
    return keysHonoured ? chargedOnce(key, lines, bought) : everyChargeKnown(key, lines, bought);
  });
  const open = purchases
    .filter((purchase) => purchase.status === 'sent')
    .map((purchase) => `purchase ${purchase.id} is still open`);
  return {
    losses: [...losses, ...open, ...boughtAgain(purchases)],
    repeats: till.length - new Set(till.map((line) => line.key)).size,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const costs = (purchases: readonly Purchase[]): number =>
  sum(purchases.map((purchase) => Number(purchase.cost_usd ?? 0)));

/** A key is charged once: our costs of it are what the till says, to the cent. */
function chargedOnce(key: string, lines: readonly TillLine[], bought: readonly Purchase[]): string[] {
  const charged = sum(lines.map((line) => line.usd));
  return [
    ...(lines.length > 1 ? [`key ${key} was charged ${lines.length} times`] : []),
    ...(Math.abs(costs(bought) - charged) > CENT_FRACTION_USD
      ? [`key ${key}: the till says ${charged}, our purchases ${costs(bought)} (${describe(bought)})`]
      : []),
  ];
}

/** Every charge has a purchase that stands for it: with its cost, or with its estimate as cost at risk. No cost is made up. */
function everyChargeKnown(key: string, lines: readonly TillLine[], bought: readonly Purchase[]): string[] {
  const charged = sum(lines.map((line) => line.usd));
  const charges = bought.filter((purchase) => MAY_BE_CHARGED.has(purchase.status));
  const atMost = sum(charges.map((purchase) => Number(purchase.cost_usd ?? purchase.estimated_cost_usd)));
  return [
    ...(lines.length > charges.length
      ? [`key ${key}: ${lines.length} charges, and purchases for ${charges.length} (${describe(bought)})`]
      : []),
    ...(charged > atMost + CENT_FRACTION_USD
      ? [`key ${key}: the till says ${charged}, we know of at most ${atMost} (${describe(bought)})`]
      : []),
    ...(costs(bought) > charged + CENT_FRACTION_USD
      ? [`key ${key}: our purchases say ${costs(bought)}, the till ${charged}`]
      : []),
  ];
}

/** Once an answer is settled, no further request for it leaves. */
function boughtAgain(purchases: readonly Purchase[]): string[] {
  return purchases.flatMap((purchase) => {
    const before = purchases.find(
      (other) =>
        other.step_id === purchase.step_id &&
        other.request_hash === purchase.request_hash &&
        other.generation === purchase.generation &&
        other.status === 'settled' &&
        other.unusable_at === null &&
        other.settled_at !== null &&
        other.settled_at < purchase.sent_at,
    );
    return before
      ? [`${purchase.step_id} ${purchase.item_id} was settled by ${before.id} and bought again by ${purchase.id}`]
      : [];
  });
}

function describe(purchases: readonly Purchase[]): string {
  return (
    purchases.map((purchase) => `${purchase.id} ${purchase.status} ${purchase.cost_usd ?? '-'}`).join(', ') || 'none'
  );
}

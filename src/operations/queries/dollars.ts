/** A sum of dollars without the dust that adding binary fractions leaves; a millionth of a cent is kept. */
export function sumUsd(amounts: readonly number[]): number {
  return Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(8));
}

/** Dollars as a numeric parameter. Eight decimals: enough for one token, and sums stay exact in PostgreSQL. */
export function toNumeric(usd: number): string {
  return usd.toFixed(8);
}

export function isMoney(usd: number): boolean {
  return Number.isFinite(usd) && usd >= 0 && usd < 1e9;
}

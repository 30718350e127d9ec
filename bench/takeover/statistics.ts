/** The middle value; of an even number the mean of the two in the middle. Throws for none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('No numbers, no median.');
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

/** Seconds with three digits, for people. */
export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** Works on all items, at most `limit` at once, in their order; ends early where `stop` is aborted. Answers how many were left. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  stop: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let next = 0;
  const hand = async (): Promise<void> => {
    while (next < items.length && !stop.aborted) {
      const item = items[next]!;
      next += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, hand));
  return items.length - next;
}

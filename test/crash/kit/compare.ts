import { compareBooks } from './compare-books';
import { compareFiles } from './compare-files';
import { compareRows, type Made } from './compare-rows';
import type { Attempt } from './attempt';

export interface Comparison {
  /** What was lost, or does not agree, in words; empty: nothing. */
  readonly losses: readonly string[];
  /** Requests that were charged more than once, since nobody could tell whether they had been. */
  readonly repeats: number;
}

/** Everything that must agree after a run that was killed and resumed; `asked`: what an undisturbed run has made. */
export async function compare(attempt: Attempt, asked: Made | null): Promise<Comparison> {
  if (attempt.trouble !== null) return { losses: [attempt.trouble], repeats: 0 };
  const books = await compareBooks(attempt);
  const losses = [
    ...(attempt.state === 'done' ? [] : [`the run ended ${attempt.state ?? 'nowhere'}, not done`]),
    ...(await compareRows(attempt, asked)),
    ...(await compareFiles(attempt)),
    ...books.losses,
  ];
  return { losses, repeats: books.repeats };
}

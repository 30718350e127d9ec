import { sha256 } from '../../../hash';

/** A repeatable source of chance: the same seed gives the same picture (spec 00, "the same input gives the same bytes"). */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number in [0, count). */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** The generator sfc32, seeded by the SHA-256 of the text. */
export function randomFrom(seed: string): Random {
  const hash = sha256(seed);
  let a = parseInt(hash.slice(0, 8), 16) | 0;
  let b = parseInt(hash.slice(8, 16), 16) | 0;
  let c = parseInt(hash.slice(16, 24), 16) | 0;
  let d = parseInt(hash.slice(24, 32), 16) | 0;
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
  };
}

import { readFileSync } from 'node:fs';

/** A point at which a process can be killed, as the preload writes it down. */
export interface Point {
  readonly name: string;
  readonly kind: 'sql' | 'file' | 'provider' | 'temporal';
  /** The line of ours, or whose call it is. */
  readonly site: string;
  readonly what: string;
  readonly phase: string;
  /** Activity, status of the step's row and of the purchase, as far as the process knew. */
  readonly state: string;
}

export function readPoints(file: string): readonly Point[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const points = new Map(lines.map((line) => JSON.parse(line) as Point).map((point) => [point.name, point]));
  return [...points.values()];
}

/** The same place in whatever state. */
export function placeOf({ site, what, phase }: Point): string {
  return `${site} | ${what} | ${phase}`;
}

/** What a fair sample is fair over: kind of call, activity and step. */
export function stratumOf({ kind, state, what }: Point): string {
  const activity = state.split(',')[0]!;
  return `${kind} ${activity === 'process' && kind === 'temporal' ? what.split(' ').slice(0, 3).join(' ') : activity}`;
}

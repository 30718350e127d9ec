import { InvalidArgumentError } from 'commander';
import { checkStep } from '../domain/ids';

/** How the values of options are read. A wrong form is a usage error; an unknown step keeps its code. */

/** `a,b` → steps, checked against the pipeline; may be given more than once. Throws step.unknown. */
export function stepList(value: string, before: readonly string[] = []): string[] {
  const steps = value
    .split(',')
    .map((step) => step.trim())
    .filter((step) => step !== '');
  if (steps.length === 0) throw new InvalidArgumentError('Name at least one step.');
  for (const step of steps) checkStep(step);
  return [...new Set([...before, ...steps])];
}

export function oneStep(value: string): string {
  return checkStep(value);
}

export type ItemChoice = Record<string, string[]>;

/** `STEP:ITEM,STEP:ITEM` → items by step; may be given more than once. Throws step.unknown. */
export function itemChoice(value: string, before: ItemChoice = {}): ItemChoice {
  const chosen: ItemChoice = Object.fromEntries(Object.entries(before).map(([step, items]) => [step, [...items]]));
  for (const entry of value.split(',')) {
    const colon = entry.indexOf(':');
    const [step, item] = [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()];
    if (colon < 1 || item === '') throw new InvalidArgumentError(`${JSON.stringify(entry)} is not STEP:ITEM.`);
    const items = (chosen[checkStep(step)] ??= []);
    if (!items.includes(item)) items.push(item);
  }
  return chosen;
}

/** An amount in US dollars from 0; no signs, no exponents. */
export function dollarAmount(value: string): number {
  const text = value.startsWith('$') ? value.slice(1) : value;
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('Give US dollars, for example 12.50.');
  return Number(text);
}

export function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}

/** Collects an option that may be given more than once. */
export function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

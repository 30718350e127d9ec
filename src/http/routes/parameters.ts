import { z } from 'zod';
import { STEP_IDS } from '../../domain/steps';
import { newId, storedId } from '../../bodies/text';

/** Ids in paths. Where something is created or started they have our own form; for reading and repair, whatever the ledger holds (spec 50). */
export const projectPath = z.strictObject({ project: storedId });
export const newProjectPath = z.strictObject({ project: newId });
export const episodePath = z.strictObject({ project: storedId, episode: storedId });
export const newEpisodePath = z.strictObject({ project: newId, episode: newId });
export const stepPath = episodePath.extend({ step: storedId });
export const newStepPath = newEpisodePath.extend({ step: storedId });
export const newShotPath = newEpisodePath.extend({ shot: storedId });

/** A whole number as text, from 1. */
export function wholeNumberText(most: number) {
  return z
    .string()
    .regex(/^[1-9]\d{0,8}$/, `a whole number from 1 to ${most}`)
    .transform(Number)
    .pipe(z.int().min(1).max(most));
}

/** A parameter that may be given more than once, or once with commas; so often at the most. */
export function listOf<T extends z.ZodType>(
  entry: T,
  most: number,
  split: (text: string) => string[] = (text) => text.split(','),
) {
  const asList = (value: unknown) =>
    value === undefined ? undefined : [value].flat().flatMap((one) => (typeof one === 'string' ? split(one) : [one]));
  return z.preprocess(asList, z.array(entry).min(1).max(most).optional());
}

export const stepList = listOf(z.enum(STEP_IDS), STEP_IDS.length);

const ITEM = new RegExp(`^(?:${STEP_IDS.join('|')}):[^\\u0000]{1,256}$`, 'u');
const BETWEEN_ITEMS = new RegExp(`,(?=(?:${STEP_IDS.join('|')}):)`);

/** `STEP:ITEM`; an item's id may hold a comma, so a comma divides only where a step follows. */
export const itemList = listOf(z.string().regex(ITEM, 'STEP:ITEM'), 100, (text) => text.split(BETWEEN_ITEMS));

/** The list as a start takes it: items by step. */
export function itemsByStep(list: readonly string[] | undefined): Record<string, string[]> | undefined {
  if (!list) return undefined;
  const items: Record<string, string[]> = {};
  for (const entry of list) {
    const colon = entry.indexOf(':');
    (items[entry.slice(0, colon)] ??= []).push(entry.slice(colon + 1));
  }
  return items;
}

export const EPISODE = '/api/v1/projects/{project}/episodes/{episode}';

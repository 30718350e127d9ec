import type { Json } from '../../domain/json';
import { describePosition, type Position } from './positions';

type Entry = { readonly [key: string]: Json | undefined };

/** The bodies that the editor may change, as stored: what it does not touch keeps its bytes. `undefined`: the step has no checkpoint. */
export interface VictimBodies {
  readonly entity_t2i: Json | undefined;
  readonly scene_detail: Json | undefined;
}

/** The entry at a position; undefined where the body has none. */
export function entryAt(bodies: VictimBodies, position: Position): Entry | undefined {
  if (position.step === 'entity_t2i') return asEntry(listOf(bodies.entity_t2i, 'entities')[position.entity]);
  return asEntry(listOf(listOf(bodies.scene_detail, 'scenes')[position.scene], 't2i_variations')[position.variation]);
}

/** New bodies with one entry replaced; all else is the same value in the same order of keys. Throws RangeError where there is no such entry. */
export function replaceEntry(bodies: VictimBodies, position: Position, entry: Entry): VictimBodies {
  if (entryAt(bodies, position) === undefined) throw new RangeError(`There is no ${describePosition(position)}.`);
  if (position.step === 'entity_t2i')
    return { ...bodies, entity_t2i: replaceIn(bodies.entity_t2i, 'entities', position.entity, () => entry) };
  return {
    ...bodies,
    scene_detail: replaceIn(bodies.scene_detail, 'scenes', position.scene, (scene) =>
      replaceIn(scene, 't2i_variations', position.variation, () => entry),
    ),
  };
}

function replaceIn(value: Json | undefined, key: string, index: number, change: (old: Json) => Json): Json {
  const list = listOf(value, key).map((old, at) => (at === index ? change(old) : old));
  return { ...(value as Entry), [key]: list };
}

/** The list under a key, or an empty one. */
export function listOf(value: Json | undefined, key: string): readonly Json[] {
  const list = asEntry(value)?.[key];
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

function asEntry(value: Json | undefined): Entry | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : undefined;
}

import { canonicalJson } from '../../domain/canonical';
import type { SnapshotChangeBody, SnapshotDiffBody } from '../../bodies/snapshots';
import type { Db } from '../../db/pool';
import type { EpisodeRef } from '../contract';
import { showSnapshot } from './snapshots';

/** What changed from one version of a checkpoint to another. Throws snapshot.unknown, db.unavailable. */
export async function diffSnapshots(
  db: Db,
  episode: EpisodeRef,
  stepId: string,
  from: number,
  to: number,
): Promise<SnapshotDiffBody> {
  const before = await showSnapshot(db, episode, stepId, from);
  const after = await showSnapshot(db, episode, stepId, to);
  return { stepId, from, to, changes: changesBetween(before.body, after.body) };
}

/**
 * The places where two JSON values differ, as JSON pointers, in order. Lists whose entries bear ids are compared entry by entry,
 * so that one that was put in front does not change all others; other lists by position, as checkpoints address.
 */
export function changesBetween(before: unknown, after: unknown, path = '', item?: string): SnapshotChangeBody[] {
  const named = item === undefined ? {} : { item };
  const id = idKeyOf(before, after);
  const [old, now] = [entriesOf(before, id), entriesOf(after, id)];
  if (old === null || now === null || Array.isArray(before) !== Array.isArray(after))
    return canonicalJson(before) === canonicalJson(after) ? [] : [{ path, ...named, kind: 'changed', before, after }];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys.flatMap((key): SnapshotChangeBody[] => {
    const [then, later] = [old.get(key), now.get(key)];
    const at = `${path}/${(later ?? then)!.segment.replace(/~/g, '~0').replace(/\//g, '~1')}`;
    const inside = id === null ? item : key;
    const owned = inside === undefined ? {} : { item: inside };
    if (!then) return [{ path: at, ...owned, kind: 'added', after: later!.value }];
    if (!later) return [{ path: at, ...owned, kind: 'removed', before: then.value }];
    return changesBetween(then.value, later.value, at, inside);
  });
}

interface Entry {
  /** Of the JSON pointer. */
  readonly segment: string;
  readonly value: unknown;
}

/** By what entries of checkpoints are known, wherever they stand. */
const ID_KEYS = ['shot_id', 'entity_id', 'item_id', 'scene_id'];

/** The key that names each entry of both lists once; null: there is none, or these are no lists. */
function idKeyOf(before: unknown, after: unknown): string | null {
  return ID_KEYS.find((key) => hasIds(before, key) && hasIds(after, key)) ?? null;
}

function hasIds(list: unknown, key: string): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  const ids = list.map((entry) =>
    typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[key] : undefined,
  );
  return ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length;
}

function entriesOf(value: unknown, id: string | null): Map<string, Entry> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).map(
    ([segment, entry]) =>
      [
        id === null ? segment : String((entry as Record<string, unknown>)[id]),
        { segment, value: entry as unknown },
      ] as const,
  );
  return new Map(entries);
}

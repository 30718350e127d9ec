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

/** The places where two JSON values differ, as JSON pointers, in order. Lists are compared by position, as checkpoints address. */
export function changesBetween(before: unknown, after: unknown, path = ''): SnapshotChangeBody[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === null || now === null || Array.isArray(before) !== Array.isArray(after))
    return canonicalJson(before) === canonicalJson(after) ? [] : [{ path, kind: 'changed', before, after }];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys.flatMap((key): SnapshotChangeBody[] => {
    const at = `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
    if (!old.has(key)) return [{ path: at, kind: 'added', after: now.get(key) }];
    if (!now.has(key)) return [{ path: at, kind: 'removed', before: old.get(key) }];
    return changesBetween(old.get(key), now.get(key), at);
  });
}

function entriesOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}

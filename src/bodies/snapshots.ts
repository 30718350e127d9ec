import { z } from 'zod';
import { count, timeText } from './amounts';

/** One version of a step's checkpoint (spec 20 "Snapshots"). Versions are never deleted. */
export const snapshotBody = z.strictObject({
  version: z.number().int().positive(),
  /** Whether this is the version that counts now; false for earlier and archived ones. */
  current: z.boolean(),
  status: z.string(),
  schemaVersion: z.number().int(),
  /** The step that wrote it: its own, an editor, or `restore`. */
  writtenBy: z.string(),
  runId: z.string().nullable(),
  characters: count,
  archivedAt: timeText.nullable(),
  createdAt: timeText,
});

export const snapshotsBody = z.strictObject({
  projectId: z.string(),
  episodeId: z.string(),
  stepId: z.string(),
  snapshots: z.array(snapshotBody),
});

/** One version with what it holds. */
export const snapshotContentBody = snapshotBody.extend({ stepId: z.string(), body: z.unknown() });

/**
 * Where two versions differ. `path` is a JSON pointer into the later version (into the earlier one for what was removed); an
 * absent side is left out. `item`: the shot, entity or picture that it belongs to, where the list has ids.
 */
export const snapshotChangeBody = z.strictObject({
  path: z.string(),
  item: z.string().optional(),
  kind: z.enum(['added', 'removed', 'changed']),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

export const snapshotDiffBody = z.strictObject({
  stepId: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  changes: z.array(snapshotChangeBody),
});

export type SnapshotBody = z.infer<typeof snapshotBody>;
export type SnapshotsBody = z.infer<typeof snapshotsBody>;
export type SnapshotContentBody = z.infer<typeof snapshotContentBody>;
export type SnapshotChangeBody = z.infer<typeof snapshotChangeBody>;
export type SnapshotDiffBody = z.infer<typeof snapshotDiffBody>;

import { z } from 'zod';
import { decisionBody } from './decision';

/** What a restore did, and what the next run would make of it (spec 20 "Snapshots"). */
export const restoreBody = z.strictObject({
  stepId: z.string(),
  /** The version whose content counts again. */
  restored: z.number().int().positive(),
  /** The version that holds it now: a new one, unless nothing has changed. */
  version: z.number().int().positive(),
  /** False: the version that counts holds the same already. */
  changed: z.boolean(),
  status: z.string(),
  /** By step, the items that became stale: their request reads a changed prompt. */
  stale: z.record(z.string(), z.array(z.string())),
  /** What the next run would decide. */
  decisions: z.array(decisionBody),
});

export type RestoreBody = z.infer<typeof restoreBody>;

import { z } from 'zod';

/** What keeping a screenplay has changed (spec 50 `PUT /`). */
export const episodePutBody = z.strictObject({
  created: z.boolean(),
  /** The text differs from what was stored: every step is stale. */
  changed: z.boolean(),
  screenplayVersion: z.number().int().positive(),
  title: z.string(),
});

export type EpisodePutBody = z.infer<typeof episodePutBody>;

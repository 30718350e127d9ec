import { z } from 'zod';

/** A shot on or off (spec 50 `POST /shots/{shot}/toggle`). */
export const toggleRequest = z.strictObject({ on: z.boolean() });

export const toggleBody = z.strictObject({
  shotId: z.string(),
  on: z.boolean(),
  /** False: it was so before, and nothing was written. */
  changed: z.boolean(),
});

export type ToggleBody = z.infer<typeof toggleBody>;

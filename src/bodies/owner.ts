import { z } from 'zod';

/** Who holds, or last held, a step (spec 50, "status"). Each part may be unknown; a row without any has no owner at all. */
export const ownerBody = z.strictObject({
  host: z.string().nullable(),
  hostId: z.string().nullable(),
  pid: z.number().int().nullable(),
  bootId: z.string().nullable(),
});

export type OwnerBody = z.infer<typeof ownerBody>;

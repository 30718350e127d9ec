import { z } from 'zod';

/** `/healthz`: the process lives. */
export const healthBody = z.strictObject({ ok: z.literal(true) });

/** `/readyz`: what a start needs. No addresses: anybody may ask. */
export const readinessBody = z.strictObject({
  ready: z.boolean(),
  checks: z.array(
    z.strictObject({
      name: z.enum(['database', 'schema', 'temporal']),
      ok: z.boolean(),
      /** Of the failure; null where there is none. */
      code: z.string().nullable(),
    }),
  ),
});

export type ReadinessBody = z.infer<typeof readinessBody>;

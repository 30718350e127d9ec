import { z } from 'zod';

/** A person's word on a purchase in doubt (spec 40 "Purchases"). */
export const settleRequest = z.strictObject({ decision: z.enum(['buy-again', 'give-up']) });

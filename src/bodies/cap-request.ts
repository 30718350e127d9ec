import { z } from 'zod';
import { storedId } from './text';

/** A new cap in US dollars, of the project or of one of its runs (spec 40 "Budget"). */
export const capRequest = z.strictObject({ capUsd: z.number().min(0).max(999_999_999), runId: storedId.optional() });

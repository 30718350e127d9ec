import { z } from 'zod';
import { failedSchema, loadBody } from '../checkpoint-body';
import type { StepInputs } from '../definition';

export const INTERIORS = ['INT', 'EXT', 'INT/EXT', 'UNKNOWN'] as const;
export const interiorSchema = z.enum(INTERIORS);

const name = z.string().min(1);

export const worldGuideSchema = z.object({
  title: z.string(),
  language: z.string(),
  setting: z.string(),
  era: z.string(),
  tone: z.string(),
  palette: z.array(z.string()),
  characters: z.array(z.object({ name, aliases: z.array(z.string()), description: z.string() })),
  places: z.array(z.object({ name, interior: interiorSchema, description: z.string() })),
  props: z.array(z.object({ name, description: z.string() })),
  failed: failedSchema,
});

export type WorldGuide = z.infer<typeof worldGuideSchema>;

/** The world guide's checkpoint. Throws step.contract_violation, naming step and path. */
export function loadWorldGuide(inputs: StepInputs): WorldGuide {
  return loadBody(inputs, 'world_guide', worldGuideSchema);
}

import { z } from 'zod';
import { AppError } from '../domain/errors';

/** The settings of a project, by dotted key (spec 20 "Contract", spec 40). Defaults are filled in before anything is hashed. */
export const projectConfigSchema = z.strictObject({
  style: z.string().min(1).max(200).default('ink wash storyboard'),
  'image.size': z
    .string()
    .regex(/^\d{2,4}x\d{2,4}$/, 'WIDTHxHEIGHT in pixels, for example 1024x576')
    .default('1024x576'),
  'provider.text': z.string().min(1).default('offline'),
  'provider.image': z.string().min(1).default('offline'),
  'model.text': z.string().min(1).default('offline-writer-1'),
  'model.image': z.string().min(1).default('offline-artist-1'),
  'offline.priceUsd': z.number().min(0).max(1000).default(0),
  /** What happens to a call that may have been charged: `ask` the operator or buy again (spec 40). */
  'inDoubt.text': z.enum(['ask', 'rebuy']).default('rebuy'),
  'inDoubt.image': z.enum(['ask', 'rebuy']).default('ask'),
});

export type ProjectConfig = z.output<typeof projectConfigSchema>;
export type ProjectConfigKey = keyof ProjectConfig;

export const PROJECT_CONFIG_KEYS = Object.keys(projectConfigSchema.shape) as ProjectConfigKey[];

/** Fills in defaults; null and absent are one. Throws config.invalid or config.unknown_key, naming the key. */
export function parseProjectConfig(stored: Readonly<Record<string, unknown>>): ProjectConfig {
  const present = Object.fromEntries(
    Object.entries(stored).filter(([, value]) => value !== null && value !== undefined),
  );
  for (const key of Object.keys(present))
    if (!Object.hasOwn(projectConfigSchema.shape, key))
      throw new AppError('config.unknown_key', `There is no setting "${key}".`);
  const parsed = projectConfigSchema.safeParse(present);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError('config.invalid', `Setting "${issue?.path.join('.') ?? '?'}": ${issue?.message ?? 'invalid'}.`);
}

/** Width and height in pixels of the images asked for. */
export function imageSize(config: ProjectConfig): { width: number; height: number } {
  const [width, height] = config['image.size'].split('x').map(Number);
  return { width: width!, height: height! };
}

import { z } from 'zod';
import { projectConfigSchema } from '../pipeline/project-config';

/** A project's settings with defaults filled in (spec 20 "Contract"). */
export const settingsBody = z.strictObject({ projectId: z.string(), settings: projectConfigSchema });

export type SettingsBody = z.output<typeof settingsBody>;

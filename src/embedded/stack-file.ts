import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readJsonIfThere, writeWhole } from './whole-file';

const stackFileSchema = z.object({
  pid: z.number().int(),
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  temporalUiUrl: z.string().nullable(),
  apiUrl: z.string().nullable(),
});

/** `.callsheet/stack.json` of a running stack (spec 50 "Command line"). Holds a password: mode 0600. */
export type StackFile = z.infer<typeof stackFileSchema>;

export function readStackFile(file: string): StackFile | undefined {
  const parsed = stackFileSchema.safeParse(readJsonIfThere(file));
  return parsed.success ? parsed.data : undefined;
}

export function writeStackFile(file: string, stack: StackFile): void {
  writeWhole(file, `${JSON.stringify(stack, null, 2)}\n`, 0o600);
}

export function removeStackFile(file: string): void {
  rmSync(file, { force: true });
}

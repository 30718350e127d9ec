import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { Check } from './check';
import { COMPILED_SOURCES } from './compiled-folder';
import { readIfThere, readJsonIfThere } from './whole-file';

const stampSchema = z.object({ lockHash: z.string() });

/** Whether node_modules is what package-lock.json asks for, as the set-up wrote it down. */
export function packageCheck(): Check {
  const root = path.resolve(COMPILED_SOURCES, '../..');
  const lock = readIfThere(path.join(root, 'package-lock.json'));
  const stamp = stampSchema.safeParse(readJsonIfThere(path.join(root, 'node_modules', '.callsheet-install.json')));
  if (lock === undefined)
    return {
      name: 'npm packages',
      ok: 'warning',
      detail: `there is no package-lock.json in ${root}`,
      next: 'Clone callsheet again.',
    };
  const same = stamp.success && stamp.data.lockHash === createHash('sha256').update(lock).digest('hex');
  return same
    ? { name: 'npm packages', ok: true, detail: 'as package-lock.json asks for' }
    : {
        name: 'npm packages',
        ok: 'warning',
        detail: 'not known to be as package-lock.json asks for',
        next: 'Nothing: the next npm start installs them. Or run npm ci.',
      };
}

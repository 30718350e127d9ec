import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** A file written and synced under a temporary name, ready to take its own. */
export interface PreparedFile {
  /** Takes the name, replacing what has it, in one step. */
  publish(): Promise<void>;
  discard(): Promise<void>;
}

/** Writes beside the target, so that the later rename is within one file system. Throws what the file system throws; nothing is left then. */
export async function prepareFile(target: string, content: string | Uint8Array): Promise<PreparedFile> {
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
  const discard = (): Promise<void> => rm(temporary, { force: true });
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { publish: () => rename(temporary, target), discard };
}

import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Makes a rename or a new folder durable; some file systems refuse to sync a folder, and have nothing to sync then. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EINVAL' || error.code === 'ENOTSUP')))
      throw error;
  } finally {
    await handle.close();
  }
}

/** Something that is no file stands where the artifact belongs (a folder): it is put beside, nothing is deleted. */
async function makeRoom(target: string): Promise<void> {
  const there = await stat(target).catch(() => null);
  if (there?.isDirectory()) await rename(target, `${target}.displaced-${randomUUID()}`);
}

/**
 * Writes a file so that it is there whole or not at all, also after a power cut: a temporary name in the same folder (so in
 * the same file system), synced, renamed, the folder synced (spec 50). Temporary names begin with a dot and are never read.
 */
export async function writeArtifact(target: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(target);
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(path.dirname(folder));
  const temporary = path.join(folder, `.${path.basename(target)}.${process.pid}-${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await makeRoom(target);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

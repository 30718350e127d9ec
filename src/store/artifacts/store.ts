import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../domain/errors';
import { sha256 } from '../../hash';
import { artifactPath } from './artifact-path';
import { writeArtifact } from './write-artifact';

export interface ArtifactStat {
  readonly bytes: number;
}

/** The content-addressed store of answers and pictures, `ARTIFACT_DIR/ab/<sha256>` (spec 50). */
export interface ArtifactStore {
  /** Stores the bytes durably and answers their SHA-256. What is there already is trusted only if it has this very content. Throws purchase.store_failed. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes; null where there is no file, or one with another content. Throws purchase.store_failed if the disk cannot be read. */
  get(artifact: string): Promise<Uint8Array | null>;
  /** Size in bytes, without reading; null where there is no file. Throws purchase.store_failed if the disk cannot be read. */
  stat(artifact: string): Promise<ArtifactStat | null>;
  /** Absolute path of the file, there or not; null for a name that is no SHA-256. */
  path(artifact: string): string | null;
}

/** No file of that name: also a link that leads nowhere, or a folder. Anything else (rights, a broken disk) is no proof of absence. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']);

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.has(String(error.code));
}

function failed(doing: string, error: unknown): AppError {
  const why = error instanceof Error ? error.message : String(error);
  return new AppError('purchase.store_failed', `${doing}: ${why}.`, undefined, { cause: error });
}

/** The directory is made with the first artifact. Several processes may share it. */
export function createArtifactStore(directory: string): ArtifactStore {
  const pathOf = (artifact: string): string | null => artifactPath(directory, artifact);

  async function get(artifact: string): Promise<Uint8Array | null> {
    const file = pathOf(artifact);
    if (file === null) return null;
    try {
      const bytes = await readFile(file);
      return sha256(bytes) === artifact ? bytes : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw failed(`Reading the artifact ${artifact}`, error);
    }
  }

  async function put(bytes: Uint8Array): Promise<string> {
    const artifact = sha256(bytes);
    const file = pathOf(artifact)!;
    try {
      const there = await statOf(file);
      // The hash is looked at only where the size fits: an unreadable or broken file is replaced, never trusted.
      if (there?.bytes === bytes.byteLength && (await get(artifact).catch(() => null)) !== null) return artifact;
      await writeArtifact(file, bytes);
      return artifact;
    } catch (error) {
      throw failed(`Storing the artifact ${artifact} (${bytes.byteLength} bytes)`, error);
    }
  }

  async function statOf(file: string): Promise<ArtifactStat | null> {
    try {
      const there = await stat(file);
      return there.isFile() ? { bytes: there.size } : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  return {
    put,
    get,
    path: pathOf,
    async stat(artifact) {
      const file = pathOf(artifact);
      if (file === null) return null;
      try {
        return await statOf(file);
      } catch (error) {
        throw failed(`Looking for the artifact ${artifact}`, error);
      }
    },
  };
}

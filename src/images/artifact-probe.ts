import { lstat } from 'node:fs/promises';
import type { ArtifactFinding, ArtifactProbe } from '../pipeline/definition';
import type { ArtifactStore } from '../store/artifacts/store';
import { probeImage } from './probe';

/** Looks at images in the store for verify: there, whole, decodable, and named by their hash (spec 20 "Completion report"). */
export function createArtifactProbe(store: ArtifactStore): ArtifactProbe {
  return { image: (artifact) => look(store, artifact) };
}

async function look(store: ArtifactStore, artifact: string): Promise<ArtifactFinding> {
  const bytes = await store.get(artifact);
  if (!bytes) return absent(store, artifact);
  const image = await probeImage(bytes);
  return image.ok ? { state: 'ok', width: image.width, height: image.height } : { state: 'damaged', why: image.why };
}

/** The store answers nothing for a name without content; a person wants to know whether there is something else in its place. */
async function absent(store: ArtifactStore, artifact: string): Promise<ArtifactFinding> {
  const path = store.path(artifact);
  if (path === null) return { state: 'damaged', why: 'the name is no SHA-256' };
  try {
    const found = await lstat(path);
    return { state: 'damaged', why: found.isFile() ? 'its content is not what its name says' : 'it is not a file' };
  } catch {
    return { state: 'missing' };
  }
}

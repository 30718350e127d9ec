import path from 'node:path';

const SHA256 = /^[0-9a-f]{64}$/;

export function isArtifactName(text: string): boolean {
  return SHA256.test(text);
}

/** `ARTIFACT_DIR/ab/<sha256>` (spec 50). Null for anything that is not a SHA-256, so no name can walk out of the folder. */
export function artifactPath(directory: string, artifact: string): string | null {
  return isArtifactName(artifact) ? path.join(directory, artifact.slice(0, 2), artifact) : null;
}

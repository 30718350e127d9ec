import { createHash } from 'node:crypto';
import { canonicalJson } from './domain/canonical';

/** SHA-256 of bytes or of text as UTF-8, 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** SHA-256 of the canonical JSON of a value: the one hash for requests, config keys, cards and sentinels (spec 20, 40). */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

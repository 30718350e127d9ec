import { canonicalize } from 'json-canonicalize';

/**
 * Canonical JSON (RFC 8785): key order and number spelling do not matter; null, undefined and absent are one (spec 20,
 * "resumeConfigKeys"). Pure; the hash of it lives in src/hash.ts, since workflows may not import node:crypto.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(withoutNulls(value) ?? null);
}

function withoutNulls(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((entry) => withoutNulls(entry) ?? null);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, withoutNulls(entry)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

import type { IncomingHttpHeaders } from 'node:http';

const DECIMAL = /^\d+(\.\d+)?$/;

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

/** A number of `unitMs`, not negative; undefined where the header is absent or says something else. */
function numberOf(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && DECIMAL.test(text) ? Number(text) * unitMs : undefined;
}

/** An HTTP date (RFC 9110: GMT). One in the past asks for no wait. `Date` reads much else, so the form is looked at first. */
function dateOf(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || !/^[A-Za-z]{3,9}, .*GMT$/.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/**
 * How long the provider asks to wait, in ms: `retry-after-ms`, else `Retry-After` in seconds (fractions too) or as an HTTP
 * date. What cannot be read, a negative number too, counts as absent, and the next form is tried (cases C26). Not capped.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const retryAfter = one(headers, 'retry-after');
  return numberOf(one(headers, 'retry-after-ms'), 1) ?? numberOf(retryAfter, 1000) ?? dateOf(retryAfter, nowMs);
}

import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { ProviderReply } from '../port';
import { retryAfterMs } from './retry-after';

const errorBody = z.object({
  error: z.object({ message: z.string().optional(), code: z.unknown().optional(), type: z.unknown().optional() }),
});

interface VendorError {
  readonly code: string;
  readonly message: string;
}

/** The vendor's words; where the body is none of its own (a proxy's page), the beginning of that. */
function vendorError(status: number, body: Buffer): VendorError {
  const text = body.toString('utf8');
  const parsed = errorBody.safeParse(parse(text));
  if (!parsed.success) return { code: '', message: `HTTP ${status}${text ? `: ${text.slice(0, 300)}` : ''}` };
  const { message, code, type } = parsed.data.error;
  return {
    code: [code, type].filter((one) => typeof one === 'string').join(' '),
    message: `HTTP ${status}: ${message ?? 'no message'}`,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An account that cannot pay, although it says 429; "quota" alone is often temporary (cases C26). */
const ACCOUNT = /insufficient_quota|billing_hard_limit|billing_not_active|account_deactivated/;
/** Its rules on content; whatever else it does not like may be mended outside, and is asked again by the next run. */
const CONTENT = /content_?(policy|filter)|moderation|safety/i;
/**
 * A gateway's word and not the vendor's: it gave up waiting (504, 524), or what came back was no answer to it (502, 520). The
 * vendor may go on, or be done, and charge.
 */
const GATEWAY_DOUBTS = new Set([502, 504, 520, 524]);

/**
 * What a status other than 200 means (spec 40 "Retries"). 401, 402, 403, 404 and redirects: key, account, model or address
 * are wrong, and no other call will do better. 408, 409, 425, 429, 5xx of the vendor's own: not charged, to be
 * tried again; of a gateway: in doubt. Other 4xx: refused where code or type says content; else rejected.
 */
export function failedReply(status: number, headers: IncomingHttpHeaders, body: Buffer, nowMs: number): ProviderReply {
  const { code, message } = vendorError(status, body);
  if (GATEWAY_DOUBTS.has(status)) return { outcome: 'in_doubt', message };
  const advised = retryAfterMs(headers, nowMs);
  const again = { message, ...(advised !== undefined && { retryAfterMs: advised }) };
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return { outcome: 'not_charged', code: 'provider.unavailable', ...again };
  if (ACCOUNT.test(code)) return { outcome: 'account', message };
  if (status === 429) return { outcome: 'not_charged', code: 'provider.rate_limited', ...again };
  if ([401, 402, 403, 404].includes(status)) return { outcome: 'account', message };
  if (status < 400)
    return { outcome: 'account', message: `HTTP ${status}: the address of the provider leads elsewhere` };
  return CONTENT.test(code) ? { outcome: 'refused', reason: message, costUsd: 0 } : { outcome: 'rejected', message };
}

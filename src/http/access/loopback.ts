import { BlockList, isIP } from 'node:net';
import { AppError } from '../../domain/errors';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** Whether an address can be reached from this machine only. A name other than localhost is none: a resolver may say anything. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** Without tokens the API is for this machine alone (spec 50). Throws config.invalid. */
export function requireSafeHost(host: string, tokensAreConfigured: boolean): void {
  if (tokensAreConfigured || isLoopback(host)) return;
  throw new AppError(
    'config.invalid',
    `CALLSHEET_API_HOST=${host} can be reached from other machines, and no tokens are configured. Set CALLSHEET_API_TOKENS_FILE, or bind to 127.0.0.1.`,
  );
}

/**
 * Whether a Host header names this machine. Where everybody at this machine is let in, a page of another site must not get in by
 * a name of its own that resolves to 127.0.0.1 (DNS rebinding).
 */
export function isLocalHostHeader(header: string | undefined): boolean {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header ?? '');
  const host = match?.[1] ?? match?.[2];
  return host !== undefined && isLoopback(host);
}

/** Whether a request comes from a page of another origin: browsers say so themselves. Programs send neither header. */
export function isCrossOrigin(headers: {
  readonly host?: string;
  readonly origin?: string;
  readonly 'sec-fetch-site'?: string | string[];
}): boolean {
  if (headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site') return true;
  if (headers.origin === undefined) return false;
  return headers.origin !== `http://${headers.host ?? ''}` && headers.origin !== `https://${headers.host ?? ''}`;
}

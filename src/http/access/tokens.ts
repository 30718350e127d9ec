import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../domain/errors';
import { ID_PATTERN } from '../../domain/ids';
import { ROLES, type Caller, type Role } from './caller';

interface KnownToken {
  readonly caller: Caller & { readonly role: Role };
  readonly digest: Buffer;
}

/** The form of a bearer token (RFC 6750), long enough not to be guessed. */
const TOKEN = /^[A-Za-z0-9._~+/-]{16,512}={0,2}$/;
const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,1024})$/i;

/** The tokens of this API. Only digests are kept, so that no dump of memory or log holds a token. */
export class Tokens {
  private constructor(private readonly known: readonly KnownToken[]) {}

  /** From entries `NAME:ROLE:TOKEN`. Throws config.invalid, naming the entry by its place and never the token. */
  static parse(entries: readonly string[]): Tokens {
    const known = entries.map((entry, index) => knownOf(entry, index + 1));
    for (const [index, one] of known.entries())
      for (const other of known.slice(0, index)) {
        if (other.caller.name === one.caller.name) throw invalid(index + 1, `the name ${one.caller.name} is taken`);
        if (other.digest.equals(one.digest)) throw invalid(index + 1, `it has the token of ${other.caller.name}`);
      }
    return new Tokens(known);
  }

  get areConfigured(): boolean {
    return this.known.length > 0;
  }

  /**
   * Whose token stands in an Authorization header; null: none that is known. Every token is compared, each in constant time, so
   * that the time of an answer tells nothing about them.
   */
  identify(header: string | undefined): Caller | null {
    const presented = BEARER.exec(header ?? '')?.[1];
    if (presented === undefined) return null;
    const digest = digestOf(presented);
    let found: Caller | null = null;
    for (const token of this.known) if (timingSafeEqual(token.digest, digest)) found = token.caller;
    return found;
  }
}

function knownOf(entry: string, place: number): KnownToken {
  const [name = '', role = '', token = '', ...rest] = entry.split(':');
  if (rest.length > 0 || token === '') throw invalid(place, 'it is not NAME:ROLE:TOKEN');
  if (!ID_PATTERN.test(name)) throw invalid(place, 'its name is not 1 to 64 letters, digits, _ or -');
  const known = ROLES.find((one) => one === role);
  if (!known) throw invalid(place, `its role is none of ${ROLES.join(', ')}`);
  if (!TOKEN.test(token)) throw invalid(place, 'its token is not 16 to 512 letters, digits or . _ ~ + / - =');
  return { caller: { name, role: known }, digest: digestOf(token) };
}

function invalid(place: number, why: string): AppError {
  return new AppError('config.invalid', `API token ${place}: ${why}. The form is NAME:ROLE:TOKEN.`);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

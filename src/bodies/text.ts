import { z } from 'zod';
import { ID_PATTERN } from '../domain/ids';

/** Text of at most `most` characters that PostgreSQL can hold: U+0000 is refused at the door (cases C07). */
export function textUpTo(most: number) {
  return z
    .string()
    .regex(new RegExp(`^[^\\u0000]{0,${most}}$`, 'u'), `at most ${most} characters, none of them U+0000`);
}

/** An id of something that is created (spec 50 "Ids that are created"). */
export const newId = z.string().regex(ID_PATTERN, '1 to 64 letters, digits, _ or -, and a letter or digit first');

/** An id as it may stand in the ledger, of whatever form; a value in a query, never a part of a path or workflow id (spec 50). */
// eslint-disable-next-line no-control-regex -- that is what is refused
export const storedId = z.string().regex(/^[^\u0000]{1,256}$/u, '1 to 256 characters, none of them U+0000');

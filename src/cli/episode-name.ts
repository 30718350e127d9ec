import path from 'node:path';
import { ID_PATTERN } from '../domain/ids';
import { sha256 } from '../hash';

/** The episode id of a screenplay's file: its base name where that is an id, else `ep-` and 12 hex digits of the name's hash (spec 50). */
export function episodeIdOfFile(file: string): string {
  const name = path.basename(file, path.extname(file)).normalize('NFC');
  return ID_PATTERN.test(name) ? name : `ep-${sha256(name).slice(0, 12)}`;
}

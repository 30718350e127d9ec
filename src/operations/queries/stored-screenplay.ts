import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';
import { sha256 } from '../../hash';
import { decodeScreenplay } from '../../pipeline/screenplay/decode';
import { readEpisode } from '../../store/episodes';
import type { EpisodeRef } from '../contract';

/**
 * Whether a file has the very text that is stored of an episode, so that putting it would change nothing (spec 50 `PUT /`). Reads
 * only. Throws screenplay.*, db.unavailable.
 */
export async function compareScreenplay(
  db: Db,
  { projectId, episodeId }: EpisodeRef,
  bytes: Uint8Array,
): Promise<'same' | 'different' | 'absent'> {
  const hash = sha256(decodeScreenplay(bytes));
  const episode = await withDatabaseErrors('Reading the screenplay failed', () =>
    readEpisode(db, projectId, episodeId),
  );
  if (!episode) return 'absent';
  return episode.screenplay_hash === hash ? 'same' : 'different';
}

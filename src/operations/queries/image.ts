import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';
import type { ArtifactStore } from '../../store/artifacts/store';
import { AppError } from '../../domain/errors';
import type { EpisodeRef } from '../contract';
import { imageTypeOf, type ImageType } from './image-type';

export interface StoredImage {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
}

/**
 * An image that was bought for this episode, by its content hash (spec 50 `GET /images/{hash}`). Answers of other episodes, and
 * those that are no images, are not there. Throws artifact.missing, purchase.store_failed, db.unavailable.
 */
export async function readImage(
  db: Db,
  artifacts: Pick<ArtifactStore, 'get'>,
  { projectId, episodeId }: EpisodeRef,
  hash: string,
): Promise<StoredImage> {
  const bought = await withDatabaseErrors('Looking for the image failed', () =>
    db
      .selectFrom('purchase')
      .select('id')
      .where('project_id', '=', projectId)
      .where('episode_id', '=', episodeId)
      .where('response_ref', '=', hash)
      .limit(1)
      .executeTakeFirst(),
  );
  const bytes = bought ? await artifacts.get(hash) : null;
  const type = bytes && imageTypeOf(bytes);
  if (!bytes || !type)
    throw new AppError('artifact.missing', `Episode ${JSON.stringify(episodeId.slice(0, 80))} has no image ${hash}.`);
  return { bytes, type };
}

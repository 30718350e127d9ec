import type { Json } from '../domain/json';
import type { z } from 'zod';
import type { ImageResult } from './answers/image-answer';
import type { ItemOutcome } from './definition';
import type { pictureSchema } from './verify-images';

/** The picture of an item that is done, as image checkpoints hold it; null where it is not. */
export function pictureOf(outcome: ItemOutcome | undefined): z.infer<typeof pictureSchema> | null {
  if (outcome?.status !== 'done') return null;
  const { artifact, width, height, contentType } = outcome.result as unknown as ImageResult;
  return { artifact, width, height, content_type: contentType };
}

/** The inverse of `pictureOf`: what is kept of the items whose pictures a checkpoint holds. */
export function resultsOfPictures(
  pictures: readonly (readonly [item: string, picture: z.infer<typeof pictureSchema>])[],
): ReadonlyMap<string, Json> {
  return new Map(
    pictures.map(([item, { artifact, width, height, content_type: contentType }]) => [
      item,
      { artifact, width, height, contentType },
    ]),
  );
}

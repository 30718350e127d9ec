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

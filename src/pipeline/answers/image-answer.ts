import { probeImage } from '../../images/probe';
import type { ProviderAnswer, ReadAnswer } from '../definition';

/** What is kept of an image item. */
export interface ImageResult {
  readonly artifact: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
}

/** Reads an image answer for one item: it must decode and have the size asked for, in pixels; else it is asked again (spec 40). */
export async function readImageAnswer(
  answer: ProviderAnswer,
  item: string,
  size: { width: number; height: number },
): Promise<ReadAnswer> {
  const probed = await probeImage(answer.content);
  if (!probed.ok) return { ok: false, reason: `The answer is no image: ${probed.why}.` };
  if (probed.width !== size.width || probed.height !== size.height)
    return { ok: false, reason: `The image is ${probed.width}x${probed.height} and not ${size.width}x${size.height}.` };
  return {
    ok: true,
    results: {
      [item]: {
        artifact: answer.artifact,
        width: probed.width,
        height: probed.height,
        contentType: probed.contentType,
      },
    },
  };
}

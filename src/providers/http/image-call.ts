import { z } from 'zod';
import type { ImageRequest, ProviderReply } from '../port';
import type { HttpPrices } from './prices';

/** The body of POST /v1/images/generations. The protocol takes no pictures along; the prompt describes what references show. */
export function imageBody(request: ImageRequest): string {
  return JSON.stringify({
    model: request.model,
    prompt: `${request.prompt}\nStyle: ${request.style}`,
    n: 1,
    size: `${request.width}x${request.height}`,
    response_format: 'b64_json',
  });
}

const generation = z.object({ data: z.array(z.object({ b64_json: z.string().nullish() })) });

/** By the first bytes; a reader decodes it in earnest. */
function contentTypeOf(content: Buffer): string | undefined {
  if (content.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (content.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  if (content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/** A 200 of the vendor's protocol → a reply; a picture that is empty or none is charged and not usable (cases C22). */
export function readImageReply(body: unknown, prices: HttpPrices, requestId: string | undefined): ProviderReply {
  const parsed = generation.safeParse(body);
  if (!parsed.success)
    return {
      outcome: 'in_doubt',
      message: `The reply is no generated image: ${z.prettifyError(parsed.error).slice(0, 300)}`,
    };
  const content = Buffer.from(parsed.data.data[0]?.b64_json ?? '', 'base64');
  const contentType = contentTypeOf(content);
  const why =
    content.length === 0 ? 'empty: no picture in the answer' : 'malformed: the answer is no PNG, JPEG or WebP';
  return {
    outcome: 'answer',
    content,
    contentType: contentType ?? 'application/octet-stream',
    costUsd: prices.imageUsd,
    usage: { images: parsed.data.data.length },
    ...(requestId !== undefined && { providerRequestId: requestId }),
    ...(contentType === undefined && { unusable: why }),
  };
}

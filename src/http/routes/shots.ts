import { z } from 'zod';
import { storedId } from '../../bodies/text';
import { toggleBody, toggleRequest } from '../../bodies/toggle';
import { readImage } from '../../operations/queries/image';
import type { Door } from '../door';
import { EPISODE, episodePath, newEpisodePath } from './parameters';
import { ok, route, type Route } from './route';

/** Shots and their images (spec 50). */
export function shotRoutes({ operations }: Door): Route[] {
  return [
    route({
      method: 'POST',
      path: `${EPISODE}/shots/{shot}/toggle`,
      operationId: 'toggleShot',
      tag: 'Shots',
      summary:
        'A shot on or off. On: drawn by the next run unless kept; off: kept, and shown no more. The same again changes nothing.',
      need: 'operator',
      params: newEpisodePath.extend({ shot: storedId }),
      body: toggleRequest,
      answers: { 200: { description: 'As it is now.', schema: toggleBody } },
      errors: ['episode.unknown', 'shot.unknown', 'step.already_running', 'db.lock_timeout'],
      handle: async ({ params, body, by }) =>
        ok(
          await operations.toggleShot({
            projectId: params.project,
            episodeId: params.episode,
            shotId: params.shot,
            on: body.on,
            by,
          }),
        ),
    }),
    route({
      method: 'GET',
      path: `${EPISODE}/images/{hash}`,
      operationId: 'getImage',
      tag: 'Shots',
      summary: 'An image of this episode, by its content hash. It never changes.',
      need: 'viewer',
      params: episodePath.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/, '64 hex digits') }),
      answers: {
        200: { description: 'The image.', types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] },
        304: { description: 'The client has it.' },
      },
      errors: ['artifact.missing', 'purchase.store_failed'],
      async handle({ params, request, reply }) {
        const { hash, project, episode } = params;
        const { bytes, type } = await readImage(
          operations.db,
          operations.artifacts,
          { projectId: project, episodeId: episode },
          hash,
        );
        const etag = `"${hash}"`;
        void reply.headers({
          etag,
          'cache-control': 'private, max-age=31536000, immutable',
          // Whatever a browser takes the bytes for, nothing in them runs (cases C48).
          'content-security-policy': "default-src 'none'; sandbox",
          'content-disposition': `inline; filename="${hash}.${type.extension}"`,
        });
        if (matchesEtag(request.headers['if-none-match'], etag)) await reply.code(304).send();
        else
          await reply
            .code(200)
            .type(type.type)
            .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        return undefined;
      },
    }),
  ];
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');
}

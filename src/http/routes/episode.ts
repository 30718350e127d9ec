import { z } from 'zod';
import { episodePutBody } from '../../bodies/episode';
import { statusBody } from '../../bodies/status';
import { textUpTo } from '../../bodies/text';
import { readStatus } from '../../operations/queries/status';
import { MAX_SCREENPLAY_BYTES } from '../../pipeline/screenplay/decode';
import type { Door } from '../door';
import { EPISODE, episodePath, newEpisodePath } from './parameters';
import { ok, route, type Route } from './route';

const fileQuery = z.strictObject({ fileName: textUpTo(255).optional() });
const state = { description: 'The state of the episode and of every step.', schema: statusBody };

/** An episode's screenplay, and the state of all (spec 50). */
export function episodeRoutes({ operations }: Door): Route[] {
  const readState = async (params: { project: string; episode: string }) => {
    const { body } = await readStatus(
      operations.db,
      { projectId: params.project, episodeId: params.episode },
      operations.temporalUi,
    );
    return ok(body);
  };
  return [
    route({
      method: 'PUT',
      path: EPISODE,
      operationId: 'putEpisode',
      tag: 'Episodes',
      summary:
        'Creates an episode, or replaces its screenplay; a changed one makes every step stale. `fileName` gives the title of a text that names none.',
      need: 'operator',
      params: newEpisodePath,
      query: fileQuery,
      textBodyUpTo: MAX_SCREENPLAY_BYTES,
      answers: {
        200: { description: 'Replaced, or the same as before.', schema: episodePutBody },
        201: { description: 'Created.', schema: episodePutBody },
      },
      errors: [
        'screenplay.empty',
        'screenplay.not_text',
        'screenplay.too_large',
        'run.already_running',
        'db.lock_timeout',
      ],
      async handle({ params, query, body, by }) {
        const put = await operations.putEpisode({
          projectId: params.project,
          episodeId: params.episode,
          fileName: query.fileName ?? params.episode,
          bytes: body as Uint8Array,
          by,
        });
        return { status: put.created ? 201 : 200, body: put };
      },
    }),
    route({
      method: 'GET',
      path: EPISODE,
      operationId: 'getEpisode',
      tag: 'Episodes',
      summary: 'The state of all; also of an episode without a record.',
      need: 'viewer',
      params: episodePath,
      answers: { 200: state },
      errors: ['episode.unknown'],
      handle: ({ params }) => readState(params),
    }),
    route({
      method: 'GET',
      path: `${EPISODE}/steps`,
      operationId: 'getSteps',
      tag: 'Episodes',
      summary: 'The same as the episode itself.',
      need: 'viewer',
      params: episodePath,
      answers: { 200: state },
      errors: ['episode.unknown'],
      handle: ({ params }) => readState(params),
    }),
  ];
}

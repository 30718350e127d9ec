import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { AppError } from '../../domain/errors';
import { eventHead } from '../../operations/queries/events';
import { readStatus } from '../../operations/queries/status';
import type { Door } from '../door';
import { stateFrame } from '../events/frame';
import { eventStream, resumeAt } from '../events/stream';
import { Turns } from '../events/turns';
import { EPISODE, episodePath } from './parameters';
import { route, type Route } from './route';

const BEAT_MS = 15_000;
/** A client that takes nothing for so long is cut off; it comes back with its Last-Event-ID, and misses nothing. */
const STALLED_MS = 60_000;
/** Streams that read old events at the same time: the others of this process keep their share of the database. */
const CATCHING_UP_AT_ONCE = 3;

/** Nobody knows when one of the others leaves: often enough to find its place, and seldom enough to cost nothing. */
const FULL_FOR_SECONDS = 5;

export interface EventTimes {
  readonly beatMs: number;
  readonly stalledMs: number;
}

/** Every change of state and progress, as server-sent events (spec 50 `GET /events`). */
export function eventRoutes(
  door: Door,
  { beatMs, stalledMs }: EventTimes = { beatMs: BEAT_MS, stalledMs: STALLED_MS },
): Route[] {
  const { operations, feed, metrics, settings, ending } = door;
  const turns = new Turns(CATCHING_UP_AT_ONCE);
  setMaxListeners(0, ending); // one for each stream
  let open = 0;
  return [
    route({
      method: 'GET',
      path: `${EPISODE}/events`,
      operationId: 'getEvents',
      tag: 'Episodes',
      summary:
        'Server-sent events: first `state` (the episode as it is), then `step` and `run` for each change. With Last-Event-ID it goes on there.',
      need: 'viewer',
      stream: true,
      params: episodePath,
      answers: { 200: { description: 'A stream without an end.', types: ['text/event-stream'] } },
      errors: ['episode.unknown', 'http.too_many_requests', 'http.stopping'],
      async handle({ params, request, reply }) {
        if (ending.aborted) throw new AppError('http.stopping', 'This process is ending.');
        if (open >= settings.eventStreams) {
          void reply.header('retry-after', String(FULL_FOR_SECONDS));
          throw new AppError('http.too_many_requests', `${open} streams of events are open, and no more are allowed.`);
        }
        metrics.streams((open += 1));
        const over = new AbortController();
        const end = () => over.abort();
        ending.addEventListener('abort', end, { once: true });
        request.raw.socket.once('close', end);
        reply.raw.once('close', () => {
          metrics.streams((open -= 1));
          end();
          ending.removeEventListener('abort', end);
          request.raw.socket.off('close', end);
        });
        const episode = { projectId: params.project, episodeId: params.episode };
        // Before the status: what happens between the two reads is told twice, and never not at all.
        const head = await eventHead(operations.db);
        const { body } = await readStatus(operations.db, episode, operations.temporalUi);
        const header = request.headers['last-event-id'];
        const from = resumeAt(typeof header === 'string' ? header : undefined, head);
        const frames = eventStream({
          db: operations.db,
          feed,
          turns,
          episode,
          state: from ? null : stateFrame(body, head),
          from: from ?? head,
          beatMs,
          over: over.signal,
        });
        const stream = Readable.from(cutWhenStalled(frames, stalledMs, () => request.raw.socket.destroy()));
        // The connection ends with the stream, so that an API that is to end does not wait for it.
        void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' });
        await reply.code(200).type('text/event-stream').send(stream);
        return undefined;
      },
    }),
  ];
}

/** Frames are asked for as the client takes them. One that takes none for so long is cut off, so that it holds nothing for ever. */
async function* cutWhenStalled(
  frames: AsyncGenerator<Buffer>,
  stalledMs: number,
  cut: () => void,
): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const timer = setTimeout(cut, stalledMs);
    try {
      yield frame;
    } finally {
      clearTimeout(timer);
    }
  }
}

import type { Db } from '../../db/pool';
import type { EpisodeRef } from '../../operations/contract';
import { isAfter, parseCursor, readEvents, type EventCursor } from '../../operations/queries/events';
import type { EventFeed } from './feed';
import { BEAT, RETRY, episodeKey, frameOf } from './frame';
import { pageOf, type EventPage } from './ring';
import type { Turns } from './turns';

export interface StreamOptions {
  readonly db: Db;
  readonly feed: EventFeed;
  /** Shared by all streams: so many of them read old events at once. */
  readonly turns: Turns;
  readonly episode: EpisodeRef;
  /** Sent first; null: the client has it, and goes on from its cursor. */
  readonly state: Buffer | null;
  readonly from: EventCursor;
  readonly beatMs: number;
  /** The client has gone, or this process ends. */
  readonly over: AbortSignal;
}

const PAGE = 50;

/**
 * What one client reads, frame by frame; the next is made only when the one before has been taken, so that a slow client costs
 * a cursor and nothing more. Ends when `over` is aborted; throws db.unavailable where old events cannot be read.
 */
export async function* eventStream(options: StreamOptions): AsyncGenerator<Buffer> {
  const { feed, over, state, beatMs } = options;
  const key = episodeKey(options.episode);
  let cursor = options.from;
  yield RETRY;
  if (state) yield state;
  while (!over.aborted) {
    const head = feed.head;
    const page = feed.after(cursor, key) ?? (await oldEvents(options, cursor));
    for (const frame of page.frames) {
      yield frame.bytes;
      cursor = frame.cursor;
      if (over.aborted) return;
    }
    // `head` was read before the page, so that nothing lies between the two.
    if (page.isWhole && isAfter(head, cursor)) cursor = head;
    if (!page.isWhole || isAfter(feed.head, cursor)) continue;
    if ((await newsOrBeat(feed, beatMs, over)) === 'beat') yield BEAT;
  }
}

/** From the database, what the process has at hand no longer. */
async function oldEvents({ db, turns, episode, over }: StreamOptions, after: EventCursor): Promise<EventPage> {
  const events = await turns.take(() => readEvents(db, after, { episode, limit: PAGE }), over);
  const page = pageOf((events ?? []).map(frameOf));
  return { frames: page.frames, isWhole: page.isWhole && events !== null && events.length < PAGE };
}

/** Waits for something new, for the time of a beat, or for the end. */
function newsOrBeat(feed: EventFeed, beatMs: number, over: AbortSignal): Promise<'news' | 'beat' | 'over'> {
  return new Promise((resolve) => {
    const settle = (what: 'news' | 'beat' | 'over') => {
      clearTimeout(timer);
      stopWaiting();
      over.removeEventListener('abort', end);
      resolve(what);
    };
    const end = () => settle('over');
    const timer = setTimeout(() => settle('beat'), beatMs);
    const stopWaiting = feed.onNews(() => settle('news'));
    over.addEventListener('abort', end, { once: true });
    if (over.aborted) settle('over');
  });
}

/** Where a stream begins: at the client's cursor, unless it has none, or one that this database has not reached. */
export function resumeAt(lastEventId: string | undefined, head: EventCursor): EventCursor | null {
  const cursor = lastEventId === undefined ? undefined : parseCursor(lastEventId);
  return cursor && !isAfter(cursor, { xid: head.xid, id: 2n ** 63n }) ? cursor : null;
}

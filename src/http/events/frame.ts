import type { EventBody } from '../../bodies/event';
import type { StatusBody } from '../../bodies/status';
import { cursorText, parseCursor, type EventCursor } from '../../operations/queries/events';
import type { EventFrame } from './ring';

/** Server-sent events as bytes. JSON has no bare line ends, so one data line holds it. */

export const RETRY = Buffer.from('retry: 2000\n\n');
/** A comment: it keeps proxies from closing, and shows a broken connection. */
export const BEAT = Buffer.from(': beat\n\n');

/** Names an episode among all; ids never hold U+0000. */
export function episodeKey({
  projectId,
  episodeId,
}: {
  readonly projectId: string | null;
  readonly episodeId: string | null;
}): string {
  return `${projectId ?? ''}\u0000${episodeId ?? ''}`;
}

export function frameOf(event: EventBody): EventFrame {
  const cursor = parseCursor(event.id);
  if (!cursor) throw new TypeError(`An event has the id ${event.id}, which is no cursor.`);
  return {
    cursor,
    episode: episodeKey(event),
    bytes: Buffer.from(`id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`),
  };
}

/** The state of all, where a stream begins anew: what comes after it changes this. */
export function stateFrame(status: StatusBody, cursor: EventCursor): Buffer {
  return Buffer.from(`id: ${cursorText(cursor)}\nevent: state\ndata: ${JSON.stringify(status)}\n\n`);
}

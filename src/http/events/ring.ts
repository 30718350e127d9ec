import { isAfter, type EventCursor } from '../../operations/queries/events';

/** One event as it goes over the wire. The bytes are made once, whoever and however many read them. */
export interface EventFrame {
  readonly cursor: EventCursor;
  readonly episode: string;
  readonly bytes: Buffer;
}

/** What a reader holds at a time. */
export interface EventPage {
  readonly frames: readonly EventFrame[];
  /** Nothing was left out for its size. */
  readonly isWhole: boolean;
}

/** A reader that waits for its client holds about so much, and no more (one frame may be larger). */
const PAGE_BYTES = 64 * 1024;

/** The first frames that are no more than a reader may hold, and one at least. */
export function pageOf(frames: readonly EventFrame[]): EventPage {
  let bytes = 0;
  const most = frames.findIndex((frame, at) => (bytes += frame.bytes.length) > PAGE_BYTES && at > 0);
  return most === -1 ? { frames, isWhole: true } : { frames: frames.slice(0, most), isWhole: false };
}

export interface RingLimits {
  readonly frames: number;
  readonly bytes: number;
}

/**
 * The newest events of all episodes, in order. Readers hold a cursor and nothing else, so that a slow one costs no memory: who
 * falls off the end reads from the database.
 */
export class EventRing {
  private readonly frames: EventFrame[] = [];
  private bytes = 0;
  /** Everything after this is here. */
  private floor: EventCursor;
  private top: EventCursor;

  constructor(
    start: EventCursor,
    private readonly limits: RingLimits,
  ) {
    this.floor = start;
    this.top = start;
  }

  get head(): EventCursor {
    return this.top;
  }

  push(frame: EventFrame): void {
    this.frames.push(frame);
    this.bytes += frame.bytes.length;
    this.top = frame.cursor;
    while (this.frames.length > this.limits.frames || (this.bytes > this.limits.bytes && this.frames.length > 1)) {
      const dropped = this.frames.shift()!;
      this.bytes -= dropped.bytes.length;
      this.floor = dropped.cursor;
    }
  }

  /** An episode's events after a cursor; null: some of them may have fallen off. */
  after(cursor: EventCursor, episode: string): EventPage | null {
    if (isAfter(this.floor, cursor)) return null;
    return pageOf(this.frames.slice(this.firstAfter(cursor)).filter((frame) => frame.episode === episode));
  }

  private firstAfter(cursor: EventCursor): number {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAfter(this.frames[middle]!.cursor, cursor)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

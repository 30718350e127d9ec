import { listen, type Listening } from '../../db/listen';
import type { Db } from '../../db/pool';
import type { Logger } from '../../observability/logger';
import { eventHead, readEvents, type EventCursor } from '../../operations/queries/events';
import { frameOf } from './frame';
import { EventRing, type EventPage, type RingLimits } from './ring';

export interface FeedOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly limits?: RingLimits;
}

/** Without a notice the table is looked at so often: a notice may be lost with its connection. */
const POLL_MS = 1_000;
/** After a notice, another transaction may still hold the event back: looked at again so often, for a second. */
const SOON_MS = 50;
const LOOKS_AFTER_NOTICE = 20;
const PAGE = 500;
const LIMITS: RingLimits = { frames: 4_000, bytes: 8 * 1024 * 1024 };

/**
 * The one reader of table `event` in this process (spec 50 `GET /events`): LISTEN/NOTIFY with a poll as the net. However many
 * clients there are, the database is asked once, and each frame is made once.
 */
export class EventFeed {
  private ring: EventRing | null = null;
  private listening: Listening | null = null;
  private timer: NodeJS.Timeout | null = null;
  private reading: Promise<void> = Promise.resolve();
  private looksSoon = 0;
  private stopped = false;
  private failing = false;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: FeedOptions) {}

  /** Begins where the table stands now. Throws db.unavailable. */
  async start(): Promise<void> {
    const { db, databaseUrl, log, limits = LIMITS } = this.options;
    this.ring = new EventRing(await eventHead(db), limits);
    this.listening = listen({
      databaseUrl,
      channel: 'callsheet_event',
      onNotice: () => this.lookSoon(),
      onLost: (error) =>
        log.warn(
          { reason: error.message },
          'the notices of events are lost; the poll goes on, and another connection is tried',
        ),
    });
    this.schedule(POLL_MS);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.listening?.stop();
    await this.reading;
    this.wake();
  }

  /** Up to here the feed has read. */
  get head(): EventCursor {
    return this.started().head;
  }

  /** An episode's events after a cursor, up to `head`; null: read them from the database. */
  after(cursor: EventCursor, episode: string): EventPage | null {
    return this.started().after(cursor, episode);
  }

  /** Calls once when something new has come, or the feed has stopped. Answers how to wait no longer. */
  onNews(callback: () => void): () => void {
    this.waiting.add(callback);
    return () => void this.waiting.delete(callback);
  }

  private started(): EventRing {
    if (!this.ring) throw new TypeError('The feed of events has not been started.');
    return this.ring;
  }

  private lookSoon(): void {
    this.looksSoon = LOOKS_AFTER_NOTICE;
    this.schedule(0);
  }

  /** The sooner of two looks wins; a look under way is followed by another. */
  private schedule(afterMs: number): void {
    if (this.stopped) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.reading = this.reading.then(() => this.look());
    }, afterMs);
  }

  private async look(): Promise<void> {
    try {
      const found = await this.readNew();
      if (this.failing) this.options.log.info('events are read again');
      this.failing = false;
      if (found > 0) this.wake();
    } catch (error) {
      if (!this.failing) this.options.log.warn({ err: error }, 'events cannot be read; tried again every second');
      this.failing = true;
    }
    if (this.timer) return; // a notice came meanwhile
    const soon = this.looksSoon > 0 && !this.failing;
    if (soon) this.looksSoon -= 1;
    this.schedule(soon ? SOON_MS : POLL_MS);
  }

  private async readNew(): Promise<number> {
    const ring = this.started();
    for (let found = 0; ;) {
      const page = await readEvents(this.options.db, ring.head, { limit: PAGE });
      for (const event of page) ring.push(frameOf(event));
      found += page.length;
      if (page.length < PAGE || this.stopped) return found;
    }
  }

  private wake(): void {
    for (const callback of [...this.waiting]) callback();
  }
}

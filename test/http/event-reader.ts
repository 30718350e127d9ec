import http from 'node:http';
import { createInterface } from 'node:readline';
import { eventually } from '../support/eventually';

export interface ReadEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface EventReaderOptions {
  readonly lastEventId?: string;
  readonly token?: string;
}

/** A client of server-sent events over a real socket. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  beats = 0;
  status: number | undefined;
  ended = false;
  private readonly request: http.ClientRequest;
  private lines: Record<string, string> = {};

  constructor(url: string, { lastEventId, token }: EventReaderOptions = {}) {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    this.request = http.get(url, { headers, agent: false }, (response) => {
      this.status = response.statusCode;
      const lines = createInterface({ input: response }).on('line', (line) => this.read(line));
      // A stream that is cut is what some tests do on purpose; the interface passes the error of its input on.
      lines.on('error', () => undefined);
      response.once('close', () => {
        this.ended = true;
      });
      response.on('error', () => undefined);
    });
    this.request.on('error', () => {
      this.ended = true;
    });
  }

  private read(line: string): void {
    if (line.startsWith(':')) this.beats += 1;
    else if (line === '') this.dispatch();
    else this.lines[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 1).trimStart();
  }

  private dispatch(): void {
    const { id, event = 'message', data } = this.lines;
    this.lines = {};
    if (data !== undefined)
      this.events.push({ id: id ?? null, event, data: JSON.parse(data) as Record<string, unknown> });
  }

  get lastId(): string | undefined {
    return this.events.at(-1)?.id ?? undefined;
  }

  /** Waits for the first event that fits. */
  until(what: string, fits: (event: ReadEvent) => boolean): Promise<ReadEvent> {
    return eventually(`an event came: ${what}`, () => this.events.find(fits));
  }

  close(): void {
    this.request.destroy();
  }
}

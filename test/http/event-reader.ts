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
  /** Connects again where it is cut off. */
  readonly comesBack?: boolean;
}

/** A client of server-sent events over a real socket. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  beats = 0;
  status: number | undefined;
  ended = false;
  private request: http.ClientRequest;
  private lines: Record<string, string> = {};
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly options: EventReaderOptions = {},
  ) {
    this.request = this.connect();
  }

  private connect(): http.ClientRequest {
    const { url } = this;
    const { token } = this.options;
    const lastEventId = this.lastId ?? this.options.lastEventId;
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const request = http.get(url, { headers, agent: false }, (response) => {
      this.status = response.statusCode;
      const lines = createInterface({ input: response }).on('line', (line) => this.read(line));
      // A stream that is cut is what some tests do on purpose; the interface passes the error of its input on.
      lines.on('error', () => undefined);
      response.once('close', () => this.end());
      response.on('error', () => undefined);
    });
    request.on('error', () => {
      this.ended = true;
    });
    return request;
  }

  /** As a browser does: it comes back with the id of the last event that it has read as a whole. */
  private end(): void {
    this.lines = {};
    if (this.options.comesBack && !this.isClosed) this.request = this.connect();
    else this.ended = true;
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
    this.isClosed = true;
    this.request.destroy();
  }
}

import type { ApiSettings } from '../config';
import type { HttpMetrics } from '../observability/http-metrics';
import type { OpenedOperations } from '../wiring';
import type { EventFeed } from './events/feed';

/** What the routes work with. */
export interface Door {
  readonly operations: OpenedOperations;
  readonly feed: EventFeed;
  readonly metrics: HttpMetrics;
  readonly settings: Pick<ApiSettings, 'requestsPerMinute' | 'eventStreams'>;
  readonly leaseSeconds: number;
  readonly stepRunningTimeoutSeconds: number;
  /** Aborted when this process is asked to end: streams close. */
  readonly ending: AbortSignal;
}

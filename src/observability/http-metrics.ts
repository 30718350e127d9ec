import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What only this process knows of its requests. The ledger's figures are the same in every process, and are not kept here. */
export interface HttpMetrics {
  /** A request was answered. `route` is the pattern, never the path, so that ids make no series. */
  answered(route: string, method: string, status: number, seconds: number): void;
  problem(code: string): void;
  streams(open: number): void;
  text(): Promise<string>;
}

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'callsheet_http_request_seconds',
    help: 'Requests by route, method and status; streams of events when they end.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const problems = new Counter({
    name: 'callsheet_http_problems_total',
    help: 'Refusals and failures by code.',
    labelNames: ['code'],
    registers,
  });
  const streams = new Gauge({
    name: 'callsheet_http_event_streams',
    help: 'Streams of events that are open.',
    registers,
  });
  return {
    answered: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
    problem: (code) => problems.inc({ code }),
    streams: (open) => streams.set(open),
    text: () => registry.metrics(),
  };
}

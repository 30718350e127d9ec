import { createServer } from 'node:http';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

/** What only a worker knows; the rest stands in the ledger, and the API tells it. */
export interface WorkerFigures {
  readonly beats: number;
  readonly beatFailures: number;
  /** Steps that this process holds now. */
  readonly held: number;
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a worker's metrics on loopback, for Prometheus' agent on the same host. Throws where the port is taken. */
export async function serveWorkerMetrics(port: number, figures: () => WorkerFigures): Promise<MetricsServer> {
  const registry = registryOf(figures);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  server.unref();
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function registryOf(figures: () => WorkerFigures): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const total = (name: string, help: string, read: (figures: WorkerFigures) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read(figures()));
      },
    });
  total('callsheet_heartbeats_total', "Beats of this worker's heartbeat that reached the ledger.", (now) => now.beats);
  total(
    'callsheet_heartbeat_failures_total',
    "Beats of this worker's heartbeat that failed.",
    (now) => now.beatFailures,
  );
  new Gauge({
    name: 'callsheet_held_steps',
    help: 'Steps that this worker holds now.',
    registers,
    collect() {
      this.set(figures().held);
    },
  });
  return registry;
}

import { healthBody, readinessBody, type ReadinessBody } from '../../bodies/readiness';
import type { Door } from '../door';
import { metricsText } from '../metrics-text';
import { ok, route, type Route } from './route';

/** Probes come often, from anybody; they share one look at the servers. */
const READINESS_STANDS_MS = 1_000;

/** For the platform: does it live, can it work, how does it go (spec 50). */
export function platformRoutes(door: Door): Route[] {
  const { operations } = door;
  const readiness = shared(() => operations.readiness(), READINESS_STANDS_MS);
  const metrics = shared(() => metricsText(door), READINESS_STANDS_MS);
  return [
    route({
      method: 'GET',
      path: '/healthz',
      operationId: 'getHealth',
      tag: 'Platform',
      summary: 'The process lives.',
      need: 'nobody',
      unlimited: true,
      answers: { 200: { description: 'It lives.', schema: healthBody } },
      errors: [],
      handle: async () => ok({ ok: true }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      operationId: 'getReadiness',
      tag: 'Platform',
      summary: 'A start could work now: database, schema with every migration, Temporal.',
      need: 'nobody',
      unlimited: true,
      answers: {
        200: { description: 'Ready.', schema: readinessBody },
        503: { description: 'Not ready.', schema: readinessBody },
      },
      errors: [],
      async handle() {
        const body: ReadinessBody = await readiness();
        return { status: body.ready ? 200 : 503, body };
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      tag: 'Platform',
      summary: 'Metrics for Prometheus, read from the ledger: the same whichever process is asked.',
      need: 'viewer',
      unlimited: true,
      answers: { 200: { description: 'Prometheus text format.', types: ['text/plain'] } },
      errors: [],
      async handle({ reply }) {
        await reply
          .code(200)
          .type('text/plain; version=0.0.4; charset=utf-8')
          .send(await metrics());
        return undefined;
      },
    }),
  ];
}

/** Whoever asks while it is worked out, or shortly after, gets the same. A failure is not kept. */
function shared<T>(work: () => Promise<T>, standsMs: number): () => Promise<T> {
  let current: Promise<T> | null = null;
  return () => {
    if (current) return current;
    const mine = work();
    current = mine;
    const forget = () => {
      if (current === mine) current = null;
    };
    mine.then(() => setTimeout(forget, standsMs).unref(), forget);
    return mine;
  };
}

import { Counter, Gauge, Registry } from 'prom-client';
import type { ShownFigures } from './status';

/** The figures of the rescan as Prometheus reads them (spec 30 "What the operator sees"). */
export function rescanMetricsText(status: ShownFigures): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });

  const stages = gauge('callsheet_context_stages', 'Contexts by AI stage and status.', ['stage', 'status']);
  for (const [stage, byStatus] of Object.entries(status.stages))
    for (const [name, rows] of Object.entries(byStatus)) stages.set({ stage, status: name }, rows);
  const retries = gauge(
    'callsheet_context_retry_count',
    'Contexts by the number of times that the rescan has asked again.',
    ['retry_count'],
  );
  for (const [retryCount, rows] of Object.entries(status.retryCounts)) retries.set({ retry_count: retryCount }, rows);
  gauge(
    'callsheet_context_exhausted',
    'Contexts whose retries are spent with a stage still owed; must fall to 0 within an interval.',
  ).set(status.exhausted);
  gauge('callsheet_context_expired', 'Contexts whose lost work waits for a round.').set(status.expired);

  const { totals } = status;
  const rounds = counter('callsheet_rescan_rounds_total', 'Rounds by how they ended.', ['outcome']);
  rounds.inc({ outcome: 'done' }, totals.roundsDone);
  rounds.inc({ outcome: 'failed' }, totals.roundsFailed);
  counter('callsheet_rescan_round_seconds_total', 'Seconds spent in rounds.').inc(totals.roundSeconds);
  const rows = counter('callsheet_rescan_rows_total', 'Rows by what a round did with them.', ['did']);
  for (const [did, count] of Object.entries(totals.rows)) rows.inc({ did }, count);
  const requests = counter('callsheet_ai_requests_total', 'Requests to the AI service, sent or failed, by reason.', [
    'outcome',
  ]);
  for (const [outcome, count] of Object.entries(totals.requests)) requests.inc({ outcome }, count);
  return registry.metrics();
}

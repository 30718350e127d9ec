import { Counter, Gauge, Registry } from 'prom-client';
import type { LockBody } from '../bodies/locks';
import {
  ledgerFigures,
  type DecisionFigure,
  type Distribution,
  type LedgerFigures,
} from '../operations/queries/ledger-figures';
import type { Door } from './door';

/**
 * `/metrics` (spec 50, spec 20 "Counters and alert rules"): what the ledger says, so that every API process says the same and a
 * restart loses nothing; then what this process knows of its own requests. Throws db.unavailable.
 */
export async function metricsText(door: Door): Promise<string> {
  const { operations, metrics } = door;
  const [figures, { locks }, rescan, own] = await Promise.all([
    ledgerFigures(operations.db),
    operations.locks({}),
    operations.rescan.metrics(),
    metrics.text(),
  ]);
  const ledger = await ledgerText(figures, locks, door);
  const distributions = [
    distributionText(
      'callsheet_call_seconds',
      'From sent to settled, of calls that were answered.',
      'provider',
      figures.callSeconds,
    ),
    distributionText(
      'callsheet_start_queue_seconds',
      'From the request of a start to its first decision.',
      'kind',
      figures.queueSeconds,
    ),
  ];
  return [ledger, ...distributions, rescan, own].map((part) => part.trimEnd()).join('\n') + '\n';
}

function ledgerText(
  figures: LedgerFigures,
  locks: readonly LockBody[],
  times: Pick<Door, 'leaseSeconds' | 'stepRunningTimeoutSeconds'>,
): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });

  const decisions = counter('callsheet_decisions_total', 'Decisions by step, action, code and who made them.', [
    'step',
    'action',
    'code',
    'made_by',
  ]);
  const claims = counter('callsheet_claims_total', 'Attempts that claimed a step, by action.', ['step', 'action']);
  const steals = counter('callsheet_steals_total', 'Claims that took a step from a dead owner.', ['step']);
  const blocks = counter(
    'callsheet_blocks_total',
    'Refusals by code: at=decision when announced or at the start, at=claim by an attempt, at=exit by a verifier that crashed after the work.',
    ['code', 'at'],
  );
  for (const figure of figures.decisions) {
    const { step_id: step, action, made_by, count } = figure;
    decisions.inc({ step, action, code: figure.code ?? '', made_by }, count);
    if (figure.claimed) claims.inc({ step, action }, count);
    if (figure.claimed && action === 'stale_running_recovery') steals.inc({ step }, count);
    if (action === 'block') blocks.inc({ code: figure.code ?? '', at: placeOf(figure) }, count);
  }
  if (figures.exitCrashes > 0) blocks.inc({ code: 'step.verify_crashed', at: 'exit' }, figures.exitCrashes);
  for (const { code, count } of figures.refusedStarts) blocks.inc({ code: code ?? '', at: 'decision' }, count);

  const running = gauge('callsheet_running_steps', 'Running rows by verdict, as this process sees them.', ['verdict']);
  for (const verdict of ['alive', 'dead', 'unknown'] as const)
    running.set({ verdict }, locks.filter((lock) => lock.verdict === verdict).length);
  gauge(
    'callsheet_dead_over_lease',
    'Rows whose owner has surely been dead for over a lease: sweep or steal is broken.',
  ).set(locks.filter((lock) => isDeadOverLease(lock, times)).length);
  const steps = gauge('callsheet_steps', 'Steps by status.', ['status']);
  let recoveries = 0;
  for (const { status, count, recoveries: of } of figures.steps) {
    steps.set({ status }, count);
    recoveries += of;
  }
  gauge('callsheet_recoveries', 'Takeovers of steps that have not completed since.').set(recoveries);
  const runs = gauge('callsheet_runs', 'Runs by state.', ['state']);
  for (const { state, count } of figures.runs) runs.set({ state }, count);
  const acts = counter('callsheet_operator_acts_total', 'Acts in the audit table.', ['act']);
  for (const { act, count } of figures.acts) acts.inc({ act }, count);

  const purchases = gauge('callsheet_purchases', 'Paid calls by provider, model and status.', [
    'provider',
    'model',
    'status',
  ]);
  const dollars = counter('callsheet_purchase_dollars_total', 'US dollars charged, by definite answers.', [
    'provider',
    'model',
  ]);
  const open = gauge(
    'callsheet_purchase_dollars_open',
    'Estimates of calls on their way, in doubt, or closed without an answer, unless their key was charged with another call.',
    ['provider', 'model'],
  );
  for (const { provider, model, status, count, cost_usd, open_usd } of figures.purchases) {
    purchases.set({ provider, model, status }, count);
    dollars.inc({ provider, model }, cost_usd);
    open.inc({ provider, model }, open_usd);
  }
  return registry.metrics();
}

function placeOf({ made_by }: DecisionFigure): 'decision' | 'claim' {
  return made_by === 'attempt' ? 'claim' : 'decision';
}

/** At the least: an owner has died after its last beat, and within an interval of it, so an age of two leases is over one lease of death. */
function isDeadOverLease(
  { verdict, ages }: LockBody,
  { leaseSeconds, stepRunningTimeoutSeconds }: Pick<Door, 'leaseSeconds' | 'stepRunningTimeoutSeconds'>,
): boolean {
  if (verdict !== 'dead') return false;
  if (ages.heartbeatSeconds !== null) return ages.heartbeatSeconds > 2 * leaseSeconds;
  return ages.startedSeconds !== null && ages.startedSeconds > stepRunningTimeoutSeconds + leaseSeconds;
}

function distributionText(name: string, help: string, label: string, distributions: readonly Distribution[]): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const { label: value, buckets, sum, count } of distributions) {
    const labelled = `${label}="${escaped(value)}"`;
    for (const bucket of buckets) lines.push(`${name}_bucket{${labelled},le="${bucket.le}"} ${bucket.count}`);
    lines.push(
      `${name}_bucket{${labelled},le="+Inf"} ${count}`,
      `${name}_sum{${labelled}} ${sum}`,
      `${name}_count{${labelled}} ${count}`,
    );
  }
  return lines.join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

import type { LoopBody, RescanBody, RoundBody } from '../../bodies/rescan';
import { withDatabaseErrors } from '../../db/errors';
import { ROUNDS_DONE, ROUNDS_FAILED } from '../../rescan/count-round';
import { readFigures, type RescanFigures } from '../../rescan/read-figures';
import type { LastRound, RescanStatus } from '../../workflows/rescan-contract';
import { contextRows } from '../contexts/context-rows';
import { databaseNow, onOneSnapshot } from '../queries/database-now';
import { newestRunUrl } from '../queries/workflow-url';
import type { RescanDependencies } from './dependencies';

/** So many FAILED contexts are shown; the figures count them all. */
const FAILED_SHOWN = 100;

/** The loop, and the state of all AI work (spec 30 "What the operator sees"). Reads only. Throws db.unavailable. */
export async function rescanStatus(deps: RescanDependencies): Promise<RescanBody> {
  const loop = deps.loop === null ? null : await deps.loop.status();
  return withDatabaseErrors('Reading the rescan', () =>
    onOneSnapshot(deps.db, async (tx) => {
      const figures = await readFigures(tx, deps.rescan);
      return {
        now: await databaseNow(tx),
        deployment: deps.deployment,
        loop: loop && loopOf(deps, loop),
        ...shown(figures),
        failed: await contextRows(tx, { failedOnly: true, newestFirst: true, limit: FAILED_SHOWN }),
      };
    }),
  );
}

export type ShownFigures = Pick<RescanBody, 'stages' | 'retryCounts' | 'exhausted' | 'expired' | 'totals'>;

/** The figures alone, for metrics: a scrape asks no loop and reads no context. Reads only. Throws db.unavailable. */
export function rescanFigures({ db, rescan }: RescanDependencies): Promise<ShownFigures> {
  return withDatabaseErrors('Reading the rescan', () =>
    onOneSnapshot(db, async (tx) => shown(await readFigures(tx, rescan))),
  );
}

function shown({ stages, retryCounts, exhausted, expired, counters }: RescanFigures): ShownFigures {
  return {
    stages: { embedding: { ...stages.embedding }, summary: { ...stages.summary } },
    retryCounts: { ...retryCounts },
    exhausted,
    expired,
    totals: totalsOf(counters),
  };
}

function loopOf({ loop, temporalUi }: RescanDependencies, status: RescanStatus): LoopBody {
  const workflowId = loop!.workflowId;
  return {
    state: status.running ? 'running' : status.paused ? 'paused' : 'waiting',
    workflowId,
    url: newestRunUrl(temporalUi, workflowId),
    roundsBegun: status.begun,
    roundsFailed: status.failed,
    lastRound: status.lastRound && roundOf(status.lastRound),
    nextDueAt: status.nextDueAtMs === null ? null : timeOf(status.nextDueAtMs),
    intervalMs: status.intervalMs,
  };
}

/** A round as people and programs see it. */
export function roundOf({ startedAtMs, endedAtMs, report, failure }: LastRound): RoundBody {
  const { intervalMs: _interval, limitMs: _limit, ...counts } = report ?? { intervalMs: 0, limitMs: 0 };
  return {
    startedAt: timeOf(startedAtMs),
    endedAt: timeOf(endedAtMs),
    counts: report && (counts as RoundBody['counts']),
    failure,
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function totalsOf(counters: RescanFigures['counters']): RescanBody['totals'] {
  const of = (name: string) =>
    Object.fromEntries(counters.filter((one) => one.name === name).map(({ label, value }) => [label, value]));
  const sum = (name: string) => Object.values(of(name)).reduce((total, value) => total + value, 0);
  return {
    roundsDone: sum(ROUNDS_DONE),
    roundsFailed: sum(ROUNDS_FAILED),
    roundSeconds: of('round_seconds')[''] ?? 0,
    rows: of('rows'),
    requests: of('requests'),
  };
}

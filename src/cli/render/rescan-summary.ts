import type { RescanBody, RoundBody } from '../../bodies/rescan';
import { age, counted, span } from '../figures';
import { tableLines } from '../table';
import type { Terminal } from '../terminal';

/** The loop, the figures, and what they mean (spec 30 "What the operator sees"). */
export function rescanLines(terminal: Terminal, body: RescanBody): string[] {
  const { colours } = terminal;
  const statuses = Object.keys(body.stages.embedding) as (keyof RescanBody['stages']['embedding'])[];
  const stages = (['embedding', 'summary'] as const).map((stage) => ({
    cells: [stage, ...statuses.map((status) => String(body.stages[stage][status]))],
  }));
  const retries = Object.entries(body.retryCounts).map(([retryCount, rows]) => `${retryCount}: ${rows}`);
  return [
    ...loopLines(terminal, body),
    '',
    ...tableLines(
      terminal,
      [{ title: 'STAGE' }, ...statuses.map((title) => ({ title, align: 'right' as const }))],
      stages,
    ),
    '',
    `Retries spent (times: contexts)   ${retries.length === 0 ? '-' : retries.join(', ')}`,
    `Expired, waiting for a round      ${body.expired}`,
    exhaustedLine(terminal, body.exhausted),
    `Requests since the beginning      ${countsText(body.totals.requests)}`,
    colours.dim(`Rounds since the beginning        ${body.totals.roundsDone} done, ${body.totals.roundsFailed} failed`),
  ];
}

function exhaustedLine({ colours }: Terminal, exhausted: number): string {
  const text = `Exhausted but unfinished          ${exhausted}`;
  return exhausted === 0 ? text : colours.yellow(`${text}   (must fall to 0 within an interval)`);
}

function loopLines({ colours }: Terminal, { loop, now }: RescanBody): string[] {
  if (!loop)
    return [
      colours.yellow(
        'The loop cannot be seen from here: Temporal is not reachable, no worker answers for it, or it does not run (a worker starts it within minutes).',
      ),
    ];
  const due = loop.nextDueAt === null ? '' : `, the next round is due at ${loop.nextDueAt.slice(0, 19)}Z`;
  const lines = [
    `The rescan is ${colours.bold(loop.state)}${due}; every ${span(loop.intervalMs / 1_000)} from the end of a round.`,
  ];
  if (!loop.lastRound) return [...lines, 'No round has ended yet.'];
  return [...lines, `Last round, ${age(loop.lastRound.endedAt, now)} ago: ${roundText(loop.lastRound)}`];
}

/** A round in one line. */
export function roundText({ counts, failure }: RoundBody): string {
  if (!counts) return `it failed (${failure ?? 'no reason given'}).`;
  const { finalized, claimed, sent, failed, inconsistent, left } = counts;
  const more = [failed > 0 ? countsText(counts.failures) : '', left > 0 ? `${left} left to the next` : ''].filter(
    (text) => text !== '',
  );
  return `${counted(finalized, 'row')} failed for good, ${claimed} claimed, ${sent} sent, ${failed} failed, ${inconsistent} inconsistent, in ${span(counts.durationMs / 1_000)}${more.length > 0 ? ` (${more.join('; ')})` : ''}.`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
  return parts.length === 0 ? '-' : parts.join(', ');
}

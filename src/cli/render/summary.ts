import type { DecisionBody } from '../../bodies/decision';
import type { StatusReading } from '../../operations/queries/status';
import { doubtLines } from '../commands/status';
import { counted, money } from '../figures';
import { plainLine } from '../plain-text';
import { noteLines } from '../table';
import type { Terminal } from '../terminal';
import { statusPaint } from './status-words';
import { stepTable } from './step-table';

export interface SummaryFacts {
  readonly reading: StatusReading;
  /** How the run ended, or the episode's state where nothing was started. */
  readonly state: string;
  /** Blocks that appeared while the run worked. */
  readonly blocks: readonly DecisionBody[];
  readonly url: string | null;
  /** The stack goes on after this command, so links and `status --watch` work. */
  readonly stackStays: boolean;
}

/** What a run came to: every step, the money, what is in doubt, what failed and what to do next (spec 50). */
export function summaryLines(terminal: Terminal, { reading, state, blocks, url, stackStays }: SummaryFacts): string[] {
  const { body } = reading;
  const { bold, dim, red, yellow } = terminal.colours;
  const calls = body.steps.reduce((sum, step) => sum + step.calls, 0);
  const place = `${body.projectId === 'local' ? '' : `--project ${body.projectId} `}--episode ${body.episodeId}`;
  return [
    `${bold(plainLine(reading.title ?? body.episodeId))}  ${statusPaint(terminal.colours, state)(state)}`,
    '',
    ...stepTable(terminal, body.steps, {
      now: reading.now,
      cancelRequested: reading.cancelRequested,
      withOwners: false,
    }),
    '',
    `Total ${bold(money(body.costUsd))} for ${counted(calls, 'call')}, all runs of the episode together.`,
    ...doubtLines(terminal, reading).map(yellow),
    ...blocks.flatMap((block) =>
      noteLines(
        terminal,
        { text: `${block.stepId} is blocked, ${block.code ?? 'no code'}: ${block.reason}`, paint: red },
        '',
      ),
    ),
    '',
    // Links are never wrapped: a terminal wraps them itself, and they can still be opened.
    ...(url === null
      ? []
      : [dim(`Temporal${stackStays ? '' : ' (while a stack runs: callsheet up)'}:`), dim(plainLine(url))]),
    ...noteLines(terminal, { text: `Episode: ${body.episodeId}`, paint: dim }, ''),
    ...noteLines(
      terminal,
      { text: `Look further: callsheet status|plan|purchases|explain STEP ${place}`, paint: dim },
      '',
    ),
  ];
}

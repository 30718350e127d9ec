import type { StatusBody } from '../../bodies/status';
import { readStatus, type StatusReading } from '../../operations/queries/status';
import { atDesk, atWindow, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { counted, money, span } from '../figures';
import { plainLine } from '../plain-text';
import { statusPaint } from '../render/status-words';
import { stepTable } from '../render/step-table';
import type { Session } from '../session';
import { noteLines } from '../table';
import type { Terminal } from '../terminal';
import { waitOrAbort } from '../wait';
import type { Registration } from './command';

const WATCH_MS = 1000;

/** `callsheet status [--watch]`: the state of every step (spec 50). */
export function registerStatus({ program, context, action }: Registration): void {
  withEpisode(program.command('status').description('the state of every step of an episode'))
    .option('--watch', 'refresh until the episode is no longer running')
    .action(
      action(async (options: EpisodeOptions & { watch?: boolean }) => {
        const reader = async (session: Session) => {
          const episode = await episodeOf(session, options);
          return () => readStatus(session.operations.db, episode, session.operations.temporalUi);
        };
        if (options.watch)
          return atWindow(context, async (session) => watch(context.terminal, session, await reader(session)));
        return atDesk(context, 'database', async (session) => {
          const reading = await (await reader(session))();
          context.terminal.body(reading.body);
          for (const line of statusLines(context.terminal, reading)) context.terminal.line(line);
          return EXIT.done;
        });
      }),
    );
}

/** On a terminal the picture is drawn anew in place; else a new one is printed only where it differs. */
async function watch(terminal: Terminal, session: Session, read: () => Promise<StatusReading>): Promise<number> {
  let shown = '';
  while (!session.over.aborted) {
    const reading = await read();
    const text = terminal.json ? JSON.stringify(reading.body) : statusLines(terminal, reading).join('\n');
    if (text !== shown) {
      if (terminal.interactive) terminal.stream.write('\u001b[H\u001b[2J');
      terminal.body(reading.body);
      terminal.line(text);
    }
    shown = text;
    if (reading.body.state !== 'running') break;
    await waitOrAbort(WATCH_MS, session.over);
  }
  return EXIT.done;
}

export function statusLines(terminal: Terminal, reading: StatusReading): string[] {
  const { body } = reading;
  const { bold, dim, yellow } = terminal.colours;
  const title = plainLine(reading.title ?? body.episodeId);
  const state = statusPaint(terminal.colours, body.state)(body.state);
  const place = dim(plainLine(`project ${body.projectId} · episode ${body.episodeId}`));
  const total = `Total ${money(body.costUsd)} for ${counted(
    body.steps.reduce((sum, step) => sum + step.calls, 0),
    'call',
  )}.`;
  return [
    `${bold(title)}  ${state}`,
    place,
    '',
    ...stepTable(terminal, body.steps, {
      now: reading.now,
      cancelRequested: reading.cancelRequested,
      withOwners: true,
    }),
    '',
    ...meterLines(terminal, body),
    total,
    ...doubtLines(terminal, reading).map(yellow),
    ...(body.workflow?.url ? [dim('Temporal:'), dim(plainLine(body.workflow.url))] : []),
  ];
}

/** The meter of a cancel that is under way (spec 40); nothing once all has stopped. */
function meterLines(terminal: Terminal, { cancel }: StatusBody): string[] {
  if (!cancel || cancel.state === 'cancelled') return [];
  const what = cancel.steps.includes('*') ? 'everything' : cancel.steps.join(', ');
  const oldest = Math.max(0, ...cancel.callsInFlight.map((call) => call.ageSeconds));
  const calls =
    cancel.callsInFlight.length === 0
      ? 'no call in flight'
      : `${counted(cancel.callsInFlight.length, 'call')} in flight for ${money(cancel.committedUsd)}, the oldest for ${span(oldest)}`;
  const text = `Cancel of ${what}, asked for by ${cancel.by}: ${cancel.state}; ${calls}; ${counted(cancel.itemsNotStarted, 'item')} not started.`;
  return noteLines(terminal, { text, paint: terminal.colours.yellow }, '');
}

/** What may have been charged: what waits for a person, and what stays at risk after it was closed; nothing where there is neither. */
export function doubtLines(terminal: Terminal, { body }: Pick<StatusReading, 'body'>): string[] {
  const { inDoubt, atRiskUsd, projectId, episodeId } = body;
  if (inDoubt === 0 && atRiskUsd === 0) return [];
  const place = `--project ${projectId} --episode ${episodeId}`;
  const atRisk = `${money(atRiskUsd)} at risk`;
  const text =
    inDoubt > 0
      ? `${counted(inDoubt, 'purchase')} in doubt, ${atRisk}: callsheet purchases --in-doubt ${place}`
      : `${atRisk}: calls that were closed may have been charged: callsheet purchases ${place}`;
  return noteLines(terminal, text, '');
}

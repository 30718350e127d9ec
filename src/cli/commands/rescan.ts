import { atDesk, withProject } from '../command-frame';
import { operatorName, type Context } from '../context';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { contextLines } from '../render/context-list';
import { rescanLines, roundText } from '../render/rescan-summary';
import { UsageError } from '../report-error';
import type { Session } from '../session';
import type { Registration } from './command';

interface RescanOptions {
  readonly project: string;
  readonly all?: boolean;
}

const FORMS = 'callsheet rescan status; rescan run; rescan pause; rescan resume; rescan retry ID; rescan retry --all.';

/** A round may ask for a whole batch of a slow service. */
const ROUND_WITHIN_MS = 600_000;

/** `callsheet rescan status|run|pause|resume|retry`: the loop that finds lost AI work (spec 30). */
export function registerRescan({ program, context, action }: Registration): void {
  withProject(
    program
      .command('rescan')
      .description('lost AI work on contexts: what is found, asked for again, and given up')
      .argument('[act]', 'status, run (a round now), pause, resume, or retry ID')
      .argument('[id]', 'the context to retry'),
  )
    .option('--all', 'with retry: all FAILED contexts of the project')
    .action(
      action(async (act: string | undefined, id: string | undefined, options: RescanOptions) => {
        if (act === 'retry') return retry(context, id, options);
        if (id !== undefined || options.all) throw new UsageError('An id and --all go with rescan retry.', FORMS);
        switch (act ?? 'status') {
          case 'status':
            return atDesk(context, 'database', (session) => showStatus(context, session));
          case 'run':
            return atDesk(context, 'everything', (session) => runRound(context, session));
          case 'pause':
          case 'resume':
            return atDesk(context, 'everything', (session) => tellLoop(context, session, act as 'pause' | 'resume'));
          default:
            throw new UsageError(`There is no rescan ${plainLine(act ?? '')}.`, FORMS);
        }
      }),
    );
}

async function showStatus({ terminal }: Context, { operations }: Session): Promise<number> {
  const body = await operations.rescan.status();
  terminal.body(body);
  for (const line of rescanLines(terminal, body)) terminal.line(line);
  if (body.failed.length === 0) return EXIT.done;
  terminal.line();
  terminal.line(terminal.colours.bold('FAILED contexts'));
  for (const line of contextLines(terminal, body.failed, { withProject: true })) terminal.line(line);
  return EXIT.done;
}

async function runRound({ terminal }: Context, { operations }: Session): Promise<number> {
  terminal.note(terminal.colours.dim('A round begins; what is expired does not change by asking.'));
  const { told, round } = await operations.rescan.runAndWait(operatorName(), ROUND_WITHIN_MS);
  terminal.body(told);
  if (!round) {
    terminal.note('The round was asked for, and has not ended yet: callsheet rescan status.');
    return EXIT.failed;
  }
  terminal.line(`Round: ${plainLine(roundText(round))}`);
  return round.counts ? EXIT.done : EXIT.failed;
}

async function tellLoop({ terminal }: Context, { operations }: Session, act: 'pause' | 'resume'): Promise<number> {
  const body = await operations.rescan.act(act, operatorName());
  terminal.body(body);
  terminal.line(act === 'pause' ? 'Paused: no round begins by itself until callsheet rescan resume.' : 'Resumed.');
  return EXIT.done;
}

async function retry(context: Context, id: string | undefined, options: RescanOptions): Promise<number> {
  if ((id === undefined) === (options.all !== true)) throw new UsageError('Name one context, or --all.', FORMS);
  return atDesk(context, 'database', async ({ operations }) => {
    const by = operatorName();
    const body =
      id === undefined
        ? await operations.rescan.retryAll({ projectId: options.project, by })
        : await operations.rescan.retry({ id, by });
    const { terminal } = context;
    terminal.body(body);
    if (body.retried.length === 0) terminal.line('None has failed.');
    for (const one of body.retried)
      terminal.line(`Asked for again: context ${plainLine(one.id)}, ${plainLine(one.title)}.`);
    return EXIT.done;
  });
}

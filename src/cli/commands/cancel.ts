import { AppError } from '../../domain/errors';
import type { CancelInput } from '../../operations/cancel';
import type { CancelAnswer, EpisodeRef } from '../../operations/contract';
import { readStatus } from '../../operations/queries/status';
import { checkedStepText } from '../step-text';
import { operatorName, type Context } from '../context';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { placeOf } from '../place';
import { sayBeside } from '../say';
import type { Session } from '../session';
import type { Terminal } from '../terminal';
import { waitOrAbort } from '../wait';
import type { Registration } from './command';

/** How long a stack that was started only for this cancel is kept for the run to end at its safe points. */
const DRAIN_MS = 60_000;
const POLL_MS = 300;

/** What was asked for, and what the ledger answered; null: nothing of it is there. */
interface Asked {
  readonly input: CancelInput;
  readonly answer: CancelAnswer | null;
}

/** `callsheet cancel [STEP]`: stop at the next safe point; everything without a step (spec 15 "Cancel"). */
export function registerCancel({ program, context, action }: Registration): void {
  withEpisode(
    program
      .command('cancel')
      .description('stop a step, or the whole episode, at the next safe point')
      .argument('[step]', 'only this step and what needs it'),
  ).action(action((step: string | undefined, options: EpisodeOptions) => cancelAtDesk(context, step, options)));
}

/**
 * The cancel is written with the database alone open: a worker that starts before would take the waiting step up, and buy. Where
 * a stack lives, or services are named, nothing is started at all.
 */
async function cancelAtDesk(context: Context, step: string | undefined, options: EpisodeOptions): Promise<number> {
  const { databaseUrl, temporalAddress } = context.dependencies.readConfig();
  const areNamed = databaseUrl !== undefined || temporalAddress !== undefined;
  let untold: Asked | undefined;
  const code = await atDesk(context, 'database', async (session) => {
    const episode = await episodeOf(session, options);
    const input = { ...episode, step: step === undefined ? undefined : checkedStepText(step), by: operatorName() };
    const asking = session.operations.cancel(input);
    if (areNamed || session.stack.joined) show(context.terminal, input, await asking);
    else untold = { input, answer: await unlessNothingRuns(asking) };
    return EXIT.done;
  });
  return untold === undefined || code !== EXIT.done ? code : tellRun(context, untold);
}

/** Starts everything, so that the run ends, or one that only Temporal knows is told. Throws step.not_running. */
async function tellRun(context: Context, { input, answer }: Asked): Promise<number> {
  const { terminal } = context;
  if (answer !== null)
    sayBeside(
      terminal,
      input.step === undefined
        ? 'The cancel is written: no paid call leaves. The stack is started for the run to end.'
        : 'The cancel is written: no paid call that it covers leaves. The stack is started, and the rest of the run goes on.',
    );
  return atDesk(context, 'everything', async (session) => {
    // Again, as a worker may have taken up by now what only Temporal knew.
    const asking = session.operations.cancel(input);
    // What the ledger had may have ended by it meanwhile.
    show(terminal, input, answer === null ? await asking : both(answer, await unlessNothingRuns(asking)));
    if (!session.stack.joined) await drain(terminal, session, input);
    return EXIT.done;
  });
}

async function unlessNothingRuns(asking: Promise<CancelAnswer>): Promise<CancelAnswer | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof AppError && error.code === 'step.not_running') return null;
    throw error;
  }
}

/** One answer to the person who asked once. That Temporal was not running at first is no longer true. */
function both(first: CancelAnswer, second: CancelAnswer | null): CancelAnswer {
  return {
    state: 'requested',
    steps: [...new Set([...first.steps, ...(second?.steps ?? [])])],
    runs: [...new Set([...first.runs, ...(second?.runs ?? [])])],
    ...(second?.warning === undefined ? {} : { warning: second.warning }),
  };
}

function show(terminal: Terminal, episode: EpisodeRef, answer: CancelAnswer): void {
  terminal.body(answer);
  const what = answer.steps.length > 0 ? answer.steps.map(plainLine).join(', ') : 'everything that has not started';
  terminal.line(`Cancel requested: ${what}.`);
  terminal.line('A paid call in flight is finished and kept; each step ends at its next safe point.');
  if (answer.warning !== undefined) terminal.note(plainLine(answer.warning));
  terminal.line(terminal.colours.dim(`next: callsheet status --watch ${placeOf(episode)}`));
}

/** The stack ends with this command, so the run is given time to end first; what is left ends at the next start. */
async function drain(terminal: Terminal, session: Session, episode: EpisodeRef): Promise<void> {
  const bound = AbortSignal.any([session.over, AbortSignal.timeout(DRAIN_MS)]);
  while (!bound.aborted) {
    const { body } = await readStatus(session.operations.db, episode);
    if (body.state !== 'running') return terminal.note(`The run has ended: ${body.state}.`);
    await waitOrAbort(POLL_MS, bound);
  }
  terminal.note('The cancel stands; the run ends at the next start.');
}

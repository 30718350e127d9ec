import type { EpisodeRef } from '../../operations/contract';
import { readStatus } from '../../operations/queries/status';
import { checkedStepText } from '../step-text';
import { operatorName } from '../context';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { placeOf } from '../place';
import type { Session } from '../session';
import type { Terminal } from '../terminal';
import { waitOrAbort } from '../wait';
import type { Registration } from './command';

/** How long a stack that was started only for this cancel is kept for the run to end at its safe points. */
const DRAIN_MS = 60_000;
const POLL_MS = 300;

/** `callsheet cancel [STEP]`: stop at the next safe point; everything without a step (spec 15 "Cancel"). */
export function registerCancel({ program, context, action }: Registration): void {
  withEpisode(
    program
      .command('cancel')
      .description('stop a step, or the whole episode, at the next safe point')
      .argument('[step]', 'only this step and what needs it'),
  ).action(
    action(async (step: string | undefined, options: EpisodeOptions) => {
      // Where services are named, workers may run elsewhere: the cancel is written first, and waits for nothing to start.
      const { databaseUrl, temporalAddress } = context.dependencies.readConfig();
      const need = databaseUrl === undefined && temporalAddress === undefined ? 'everything' : 'database';
      return atDesk(context, need, async (session) => {
        const { terminal } = context;
        const episode = await episodeOf(session, options);
        const answer = await session.operations.cancel({
          ...episode,
          step: step === undefined ? undefined : checkedStepText(step),
          by: operatorName(),
        });
        terminal.body(answer);
        const what =
          answer.steps.length > 0 ? answer.steps.map(plainLine).join(', ') : 'everything that has not started';
        terminal.line(`Cancel requested: ${what}.`);
        terminal.line('A paid call in flight is finished and kept; each step ends at its next safe point.');
        if (answer.warning !== undefined) terminal.note(plainLine(answer.warning));
        terminal.line(terminal.colours.dim(`next: callsheet status --watch ${placeOf(episode)}`));
        if (need === 'everything' && !session.stack.joined) await drain(terminal, session, episode);
        return EXIT.done;
      });
    }),
  );
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

import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { operatorName } from '../context';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { UsageError } from '../report-error';
import type { Registration } from './command';

/** `callsheet toggle SHOT on|off`: a person's switch of a shot, which outweighs the selection (spec 00, spec 20). */
export function registerToggle({ program, context, action }: Registration): void {
  withEpisode(
    program
      .command('toggle')
      .description('switch a shot on or off')
      .argument('<shot>', 'a shot id, as the contact sheet shows it')
      .argument('<on|off>'),
  ).action(
    action(async (shotId: string, state: string, options: EpisodeOptions) => {
      if (state !== 'on' && state !== 'off')
        throw new UsageError(`A shot is switched on or off, not ${JSON.stringify(state)}.`);
      return atDesk(context, 'database', async (session) => {
        const episode = await episodeOf(session, options);
        const toggled = await session.operations.toggleShot({
          ...episode,
          shotId,
          on: state === 'on',
          by: operatorName(),
        });
        context.terminal.body(toggled);
        const shot = plainLine(toggled.shotId);
        context.terminal.line(
          toggled.changed
            ? `Shot ${shot} is ${state} now. The next run ${state === 'on' ? 'draws it, unless its picture is kept' : 'leaves it out; its picture is kept'}.`
            : `Shot ${shot} was ${state} already.`,
        );
        return EXIT.done;
      });
    }),
  );
}

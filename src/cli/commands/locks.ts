import { atDesk, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { lockLines, seenByLines } from '../render/lock-list';
import type { Registration } from './command';

/** `callsheet locks [--all]`: every running row, and whether its owner lives (spec 10 "Locks"). Reading changes nothing. */
export function registerLocks({ program, context, action }: Registration): void {
  withEpisode(program.command('locks').description('who holds which step, and whether they live'))
    .option('--all', 'of all projects, with row ids')
    .action(
      action(async (options: EpisodeOptions & { all?: boolean }) =>
        atDesk(context, 'database', async ({ operations }) => {
          const locks = await operations.locks(
            options.all ? {} : { projectId: options.project, episodeId: options.episode },
          );
          const { terminal } = context;
          terminal.body(locks);
          if (locks.locks.length === 0) terminal.line('Nothing is running.');
          else
            for (const line of lockLines(terminal, locks.locks, {
              withPlace: options.all === true || options.episode === undefined,
            }))
              terminal.line(line);
          terminal.line();
          for (const line of seenByLines(terminal, locks)) terminal.line(line);
          return EXIT.done;
        }),
      ),
    );
}

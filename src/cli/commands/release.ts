import { AppError } from '../../domain/errors';
import type { ReleaseAnswer } from '../../operations/contract';
import { releaseRefusal } from '../../operations/refusal';
import { operatorName } from '../context';
import { atDesk, episodeOf, withEpisode, type EpisodeOptions } from '../command-frame';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { placeOf } from '../place';
import { UsageError, reportError } from '../report-error';
import { sayBeside } from '../say';
import { checkedStepText } from '../step-text';
import type { Registration } from './command';

interface ReleaseOptions extends EpisodeOptions {
  readonly force?: boolean;
  readonly reason?: string;
  readonly run?: string;
  readonly row?: string;
}

/** `callsheet release STEP`: free the row of a dead owner (spec 10 "Release"). It does not stop a run. */
export function registerRelease({ program, context, action }: Registration): void {
  withEpisode(
    program
      .command('release')
      .description('free the lock of a dead owner')
      .argument('[step]', 'the step; or name the row with --row'),
  )
    .option('--row <id>', 'the row id that callsheet locks --all shows')
    .option('--force', 'I have ended that process: also where death cannot be proved')
    .option('--reason <text>', 'why (with --force)')
    .option('--run <id>', 'the run id that callsheet locks showed; for a row without one its row id (with --force)')
    .action(
      action(async (step: string | undefined, options: ReleaseOptions) => {
        checkForm(step, options);
        return atDesk(context, 'database', async (session) => {
          const { terminal } = context;
          const episode = step === undefined ? null : await episodeOf(session, options);
          const place =
            step === undefined || episode === null
              ? { rowId: options.row }
              : { ...episode, stepId: checkedStepText(step) };
          const request = {
            ...place,
            force: options.force,
            reason: options.reason,
            runId: options.run,
            by: operatorName(),
            say: (line: string) => sayBeside(terminal, line),
          };
          let released: ReleaseAnswer;
          try {
            released = await session.operations.release(request);
          } catch (error) {
            if (!(error instanceof AppError) || error.statusCode !== 409) throw error;
            return reportError(terminal, error, await releaseRefusal(session.operations, request));
          }
          terminal.body(released);
          terminal.line(
            `Released: ${plainLine(released.reason)} (verdict ${released.verdict}, branch ${released.branch}).`,
          );
          if (released.warning !== undefined) terminal.note(plainLine(released.warning));
          terminal.line(
            terminal.colours.dim(
              `The row is free; a run that waits for it decides again. next: ${
                episode === null
                  ? 'callsheet run or callsheet status, with --project and --episode'
                  : `callsheet run ${placeOf(episode)}, or callsheet status ${placeOf(episode)}`
              }`,
            ),
          );
          return EXIT.done;
        });
      }),
    );
}

function checkForm(step: string | undefined, { row, force, reason, run }: ReleaseOptions): void {
  if ((step === undefined) === (row === undefined))
    throw new UsageError('Name either a step or a row (--row ID).', 'callsheet locks --all lists both.');
  if (force && (reason === undefined || reason.trim() === ''))
    throw new UsageError(
      '--force needs --reason.',
      'Say what you have found out, for example --reason "ended pid 4711 on host-7".',
    );
  if (force && run === undefined)
    throw new UsageError('--force needs --run, the run id that you saw.', 'callsheet locks shows it.');
  if (!force && (reason !== undefined || run !== undefined))
    throw new UsageError('--reason and --run go with --force.');
}

import { AppError } from '../../domain/errors';
import { runChoiceOf } from '../../operations/choice';
import { compareScreenplay } from '../../operations/queries/stored-screenplay';
import { operatorName } from '../context';
import type { Session } from '../session';
import type { RunRequest } from './request';
import type { ScreenplayFile } from './screenplay-file';

/**
 * Stores the file's text as the episode's screenplay, which makes every step of another text stale: so first is refused what can be
 * told without it. A plan and items are of the text that is stored: with them nothing is replaced. Without a file does nothing.
 * Throws input.invalid, step.unknown; plan.outdated, episode.unknown; screenplay.*, run.already_running where it is replaced.
 */
export async function keepScreenplay({ operations }: Session, request: RunRequest): Promise<void> {
  const { episode, screenplay, options } = request;
  const { steps, from, force, items } = options;
  runChoiceOf({ ...episode, steps, from, force, items });
  if (!screenplay) return;
  const named = options.planToken !== undefined ? '--plan-token' : items ? '--items' : null;
  if (named === null) await operations.putEpisode({ ...episode, ...screenplay, by: operatorName() });
  else await requireStored(operations, episode, screenplay, named);
}

async function requireStored(
  { db }: Session['operations'],
  episode: RunRequest['episode'],
  { fileName, bytes }: ScreenplayFile,
  named: '--plan-token' | '--items',
): Promise<void> {
  const stored = await compareScreenplay(db, episode, bytes);
  if (stored === 'same') return;
  const what = named === '--items' ? 'The items are' : 'The plan is';
  if (stored === 'absent')
    throw new AppError(
      'episode.unknown',
      `${what} of no episode that there is: ${episode.episodeId} is new. Run ${fileName} without ${named} first.`,
    );
  throw new AppError(
    named === '--items' ? 'input.invalid' : 'plan.outdated',
    `${what} of the text that is stored, and ${fileName} has another; nothing was stored or started. ` +
      `Leave the file out (--episode ${episode.episodeId}), or run it without ${named} first.`,
  );
}

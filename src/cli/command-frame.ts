import type { Command } from 'commander';
import { AppError } from '../domain/errors';
import { episodeIdsOf } from '../operations/queries/episode-ids';
import type { EpisodeRef } from '../operations/contract';
import type { Context } from './context';
import { EXIT } from './exit-codes';
import { plainLine } from './plain-text';
import { UsageError } from './report-error';
import { sayBeside } from './say';
import { inSession, type Session } from './session';

/** Options that most commands share (spec 50 "Command line"). */
export interface EpisodeOptions {
  readonly project: string;
  readonly episode?: string;
}

export function withProject(command: Command): Command {
  return command.option('--project <id>', 'the project', 'local').option('--json', 'print JSON instead of text');
}

export function withEpisode(command: Command): Command {
  return withProject(command).option('--episode <id>', "the episode (default: the project's only one)");
}

/**
 * Runs a short command on an open stack. Those that only read, release or set a value need the database alone; nothing
 * of the pipeline starts because somebody looks (spec 50 "Setting up").
 */
export async function atDesk(
  context: Context,
  need: 'database' | 'everything',
  work: (session: Session) => Promise<number>,
): Promise<number> {
  const ended = await inSession(context, { need, ...notesOf(context) }, work);
  switch (ended.end) {
    case 'done':
      return ended.value;
    case 'interrupted':
      return ended.exitCode;
    case 'stack_ended':
      throw new AppError('db.unavailable', 'The stack that this command had joined has ended; call it again.');
  }
}

/** Runs a command that watches: it gives way to a command that wants the database, and goes on in the stack of that one. */
export async function atWindow(context: Context, work: (session: Session) => Promise<number>): Promise<number> {
  for (;;) {
    const ended = await inSession(context, { need: 'database', givesWay: true, ...notesOf(context) }, work);
    // Leaving is how watching ends.
    if (ended.end !== 'stack_ended') return ended.end === 'done' ? ended.value : EXIT.done;
  }
}

function notesOf({ terminal }: Context) {
  const say = (line: string) => sayBeside(terminal, line);
  return { say, onInterrupt: () => say('Stopping; Ctrl-C again ends at once.') };
}

/** The episode that was named, or the project's only one. Ids of any form are taken: rows of other tools have them. */
export async function episodeOf(session: Session, options: EpisodeOptions): Promise<EpisodeRef> {
  if (options.episode !== undefined) return { projectId: options.project, episodeId: options.episode };
  const ids = await episodeIdsOf(session.operations.db, options.project);
  const [only, ...others] = ids;
  if (only === undefined)
    throw new AppError('episode.unknown', `The project ${JSON.stringify(options.project)} has no episodes.`);
  if (others.length > 0) {
    const shown = ids.slice(0, 8).map(plainLine).join(', ');
    throw new UsageError(
      `The project has ${ids.length} episodes: name one with --episode.`,
      `Episodes: ${shown}${ids.length > 8 ? ', …' : ''}`,
    );
  }
  return { projectId: options.project, episodeId: only };
}

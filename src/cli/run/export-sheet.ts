import path from 'node:path';
import type { EpisodeRef } from '../../operations/contract';
import { readContactSheet } from '../../operations/queries/contact-sheet';
import type { StatusReading } from '../../operations/queries/status';
import type { Context } from '../context';
import type { WrittenSheet } from '../dependencies';
import type { Session } from '../session';
import { shownPath } from './shown-path';

/** Writes the contact sheet; null: there is no shot list yet. Throws what reading and writing throw. */
export async function writeSheet(
  { dependencies }: Context,
  session: Session,
  episode: EpisodeRef,
  { title, body }: StatusReading,
  directory: string,
): Promise<WrittenSheet | null> {
  const sheet = await readContactSheet(session.operations.db, session.config.artifactDir, episode, {
    title,
    costUsd: body.costUsd,
  });
  return sheet && dependencies.writeContactSheet(sheet, directory);
}

/** Where an episode's exports lie. Both ids fit the pattern of ids: a run and an export have checked them. */
export function exportsDirectory(session: Session, { projectId, episodeId }: EpisodeRef): string {
  return path.join(session.config.home, 'exports', projectId, episodeId);
}

/** The lines that end a run: the two paths, each on a line of its own. */
export function sheetLines(sheet: WrittenSheet | null): string[] {
  if (sheet === null) return ['No contact sheet: there is no shot list yet.'];
  return ['Contact sheet:', shownPath(sheet.htmlPath), shownPath(sheet.pngPath)];
}

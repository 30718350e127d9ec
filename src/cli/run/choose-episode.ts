import { episodeIdsOf } from '../../operations/queries/episode-ids';
import { episodeOf } from '../command-frame';
import { episodeIdOfFile } from '../episode-name';
import type { Session } from '../session';
import { exampleScreenplay } from './example';
import type { AskedRun, RunRequest } from './request';
import { readScreenplayFile } from './screenplay-file';

/**
 * What is run where neither a file nor an episode is named: the project's only episode, as for every other command. The example
 * is run only where there is nothing else, and where nothing but "run" was asked: options are about an episode that somebody
 * has seen. Throws UsageError where there are several, and episode.unknown.
 */
export async function chooseEpisode(session: Session, asked: AskedRun): Promise<RunRequest> {
  if (asked.episode !== null) return { ...asked, episode: asked.episode };
  const { options } = asked;
  const ids = await episodeIdsOf(session.operations.db, options.project);
  const example = episodeIdOfFile(exampleScreenplay());
  if (!asked.changes && ids.every((id) => id === example))
    return {
      ...asked,
      episode: { projectId: options.project, episodeId: example },
      screenplay: await readScreenplayFile(exampleScreenplay()),
    };
  return { ...asked, episode: await episodeOf(session, options) };
}

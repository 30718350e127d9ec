import { episodeIdsOf } from '../../operations/queries/episode-ids';
import { episodeOf } from '../command-frame';
import { episodeIdOfFile } from '../episode-name';
import type { Session } from '../session';
import { exampleScreenplay } from './example';
import type { AskedRun, RunRequest } from './request';
import { readScreenplayFile } from './screenplay-file';

/**
 * What is run where neither a file nor an episode is named: the project's only episode, as for every other command. The example
 * is run only where there is nothing else: in an empty project, unless an option speaks of results or a plan, which an example that
 * was never run does not have; and again where there is only that and nothing but "run" was asked. Throws UsageError where there are several, and episode.unknown.
 */
export async function chooseEpisode(session: Session, asked: AskedRun): Promise<RunRequest> {
  if (asked.episode !== null) return { ...asked, episode: asked.episode };
  const { options } = asked;
  const ids = await episodeIdsOf(session.operations.db, options.project);
  const example = episodeIdOfFile(exampleScreenplay());
  const isNew = ids.length === 0 && !(options.force || options.items || options.planToken);
  if (isNew || (!asked.changes && ids.every((id) => id === example)))
    return {
      ...asked,
      episode: { projectId: options.project, episodeId: example },
      screenplay: await readScreenplayFile(exampleScreenplay()),
    };
  return { ...asked, episode: await episodeOf(session, options) };
}

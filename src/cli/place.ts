import { plainLine } from './plain-text';

/** Rows of other tools may be of no project or episode. */
interface Place {
  readonly projectId: string | null;
  readonly episodeId: string | null;
}

/** `--project P --episode E`, for a command that is printed: it must name the episode that was shown, whatever else there is. */
export function placeOf({ projectId, episodeId }: Place): string {
  return `--project ${plainLine(projectId ?? '?')} --episode ${plainLine(episodeId ?? '?')}`;
}

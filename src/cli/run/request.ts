import { randomUUID } from 'node:crypto';
import { checkId } from '../../domain/ids';
import type { EpisodeRef } from '../../operations/contract';
import { episodeIdOfFile } from '../episode-name';
import type { ItemChoice } from '../option-values';
import { UsageError } from '../report-error';
import { readScreenplayFile, type ScreenplayFile } from './screenplay-file';

/** Options of `callsheet run` as commander reads them. */
export interface RunOptions {
  readonly project: string;
  readonly episode?: string;
  readonly steps?: string[];
  readonly from?: string;
  readonly force?: string[];
  readonly items?: ItemChoice;
  readonly planToken?: string;
  readonly budget?: number;
  readonly detach?: boolean;
}

/** What a person asked for, read and checked before anything starts. */
export interface AskedRun {
  /** null: neither a file nor an episode is named; which one it is can be seen in the database only. */
  readonly episode: EpisodeRef | null;
  /** null: an episode that exists already. */
  readonly screenplay: ScreenplayFile | null;
  readonly options: RunOptions;
  /** With an option that changes anything an open run is never attached to (spec 15 "Starting"). */
  readonly changes: boolean;
  /** Made once for the command, so that a start which is asked twice begins one run. */
  readonly requestId: string;
}

/** The same, with the episode that it is about. */
export type RunRequest = AskedRun & { readonly episode: EpisodeRef };

/** Throws id.invalid and screenplay.*; UsageError where options exclude each other. */
export async function readRunRequest(file: string | undefined, options: RunOptions): Promise<AskedRun> {
  if (options.steps && options.from) throw new UsageError('--steps and --from both choose steps: give one of them.');
  checkId('project', options.project);
  const screenplay = file === undefined ? null : await readScreenplayFile(file);
  const named = options.episode ?? (file === undefined ? undefined : episodeIdOfFile(file));
  const episode = named === undefined ? null : { projectId: options.project, episodeId: checkId('episode', named) };
  const { steps, from, force, items, planToken, budget } = options;
  const changes = [steps, from, force, items, planToken, budget].some((option) => option !== undefined);
  return { episode, screenplay, options, changes, requestId: randomUUID() };
}

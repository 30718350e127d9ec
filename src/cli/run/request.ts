import { randomUUID } from 'node:crypto';
import { checkId } from '../../domain/ids';
import type { EpisodeRef } from '../../operations/contract';
import { episodeIdOfFile } from '../episode-name';
import type { ItemChoice } from '../option-values';
import { UsageError } from '../report-error';
import { exampleScreenplay } from './example';
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
export interface RunRequest {
  readonly episode: EpisodeRef;
  /** null: an episode that exists already. */
  readonly screenplay: ScreenplayFile | null;
  readonly options: RunOptions;
  /** With an option that changes anything an open run is never attached to (spec 15 "Starting"). */
  readonly changes: boolean;
  /** Made once for the command, so that a start which is asked twice begins one run. */
  readonly requestId: string;
}

/** Throws id.invalid and screenplay.*; UsageError where options exclude each other. */
export async function readRunRequest(file: string | undefined, options: RunOptions): Promise<RunRequest> {
  if (options.steps && options.from) throw new UsageError('--steps and --from both choose steps: give one of them.');
  checkId('project', options.project);
  const path = file ?? (options.episode === undefined ? exampleScreenplay() : null);
  const screenplay = path === null ? null : await readScreenplayFile(path);
  const episodeId = checkId('episode', options.episode ?? episodeIdOfFile(path ?? ''));
  const { steps, from, force, items, planToken, budget } = options;
  const changes = [steps, from, force, items, planToken, budget].some((option) => option !== undefined);
  return { episode: { projectId: options.project, episodeId }, screenplay, options, changes, requestId: randomUUID() };
}

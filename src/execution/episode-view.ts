import { finishedSummaries } from '../contexts/finished-summaries';
import type { Db, Tx } from '../db/pool';
import type { StepRun } from '../db/tables';
import { AppError } from '../domain/errors';
import { meetsNeed } from '../domain/status';
import { upstreamOf, type StepId } from '../domain/steps';
import { readRows } from '../ledger/read-rows';
import type { StepInputs } from '../pipeline/definition';
import type { ProjectConfig } from '../pipeline/project-config';
import { parseScreenplay } from '../pipeline/screenplay/parse';
import type { Screenplay } from '../pipeline/screenplay/screenplay';
import { currentCheckpoints, type Checkpoint } from '../store/checkpoints';
import { readEpisode, readProjectConfig, readShotSwitches, type Episode } from '../store/episodes';

/** All that is read of an episode to decide and to run: rows with the clock of the same query, checkpoints, settings. */
export interface EpisodeView {
  readonly projectId: string;
  readonly episodeId: string;
  readonly episode: Episode;
  readonly now: string;
  readonly rows: ReadonlyMap<string, StepRun>;
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  readonly config: ProjectConfig;
  readonly inputs: StepInputs;
}

/** Reads an episode. Throws episode.unknown. `assumedConfig`: settings in place of the stored ones (plan's what-if). */
export async function readEpisodeView(
  db: Db | Tx,
  projectId: string,
  episodeId: string,
  assumedConfig?: (config: ProjectConfig) => ProjectConfig,
): Promise<EpisodeView> {
  const episode = await readEpisode(db, projectId, episodeId);
  if (!episode) throw new AppError('episode.unknown', `There is no episode ${episodeId} in project ${projectId}.`);
  const { rows, now } = await readRows(db, { projectId, episodeId });
  const checkpoints = await currentCheckpoints(db, projectId, episodeId);
  const stored = await readProjectConfig(db, projectId);
  const config = assumedConfig ? assumedConfig(stored) : stored;
  const shotSwitches = await readShotSwitches(db, projectId, episodeId);
  const contexts = await finishedSummaries(db, projectId);
  return {
    projectId,
    episodeId,
    episode,
    now,
    rows: new Map(rows.map((row) => [row.step_id, row])),
    checkpoints,
    config,
    inputs: inputsOf(episode, config, contexts, shotSwitches, checkpoints),
  };
}

/** A step upstream, directly or not, that is not finished; null: what the step reads is as it will be (spec 20 "Items"). */
export function unfinishedAbove(view: Pick<EpisodeView, 'rows'>, stepId: StepId): StepId | null {
  return upstreamOf(stepId).find((above) => !meetsNeed(view.rows.get(above)?.status)) ?? null;
}

/** Of the few episodes that a process works on, what their screenplays were read as: parsing is pure, and is asked for at each decision. */
const READ_BEFORE = 4;
const readBefore = new Map<string, Screenplay>();

function readScreenplay({ screenplay, title }: Episode): Screenplay {
  const key = `${title}\n${screenplay}`;
  const read = readBefore.get(key) ?? parseScreenplay(screenplay, title);
  readBefore.delete(key);
  readBefore.set(key, read);
  const [oldest] = readBefore.keys();
  if (readBefore.size > READ_BEFORE) readBefore.delete(oldest!);
  return read;
}

function inputsOf(
  episode: Episode,
  config: ProjectConfig,
  contexts: readonly string[],
  shotSwitches: ReadonlyMap<string, boolean>,
  checkpoints: ReadonlyMap<string, Checkpoint>,
): StepInputs {
  return {
    screenplay: readScreenplay(episode),
    config,
    contexts,
    shotSwitches,
    rawCheckpoint: (step) => checkpoints.get(step)?.body,
    checkpointVersion: (step) => checkpoints.get(step)?.version ?? 0,
  };
}

/** The same inputs with other bodies in place of some checkpoints: for verify before a save, and for what reads a change. */
export function withBodies(inputs: StepInputs, bodies: ReadonlyMap<StepId, unknown>): StepInputs {
  return { ...inputs, rawCheckpoint: (step) => (bodies.has(step) ? bodies.get(step) : inputs.rawCheckpoint(step)) };
}

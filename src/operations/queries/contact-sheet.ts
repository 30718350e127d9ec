import type { z } from 'zod';
import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';
import type { StepId } from '../../domain/steps';
import { backgroundSchema } from '../../pipeline/background-render/schema';
import { foldName } from '../../pipeline/content-labels';
import { floorPlanSchema } from '../../pipeline/floor-plan-render/schema';
import { sceneDetailSchema, variationsByShot } from '../../pipeline/scene-detail/schema';
import { sceneImagesSchema } from '../../pipeline/scene-image-pipeline/schema';
import { shotSelectionSchema } from '../../pipeline/shot-selection/schema';
import { t2iReviewSchema } from '../../pipeline/t2i-review/schema';
import { worldGuideSchema } from '../../pipeline/world-guide/schema';
import { createArtifactStore } from '../../store/artifacts/store';
import { currentCheckpoints } from '../../store/checkpoints';
import { readShotSwitches } from '../../store/episodes';
import type { EpisodeRef } from '../contract';
import { correctionsByShot } from './corrections';

/** The bodies that a contact sheet is made from; null where a step has none yet, or one that cannot be read. */
type Bodies = Awaited<ReturnType<typeof readBodies>>;

/** What stands on a contact sheet. */
export type ContactSheetContents = NonNullable<Awaited<ReturnType<typeof readContactSheet>>>;

type Read = (artifact: string) => Promise<Uint8Array | null>;

/**
 * Everything on a contact sheet, from the newest checkpoints and the artifact store; also of an episode that is only partly
 * drawn (spec 50 `export`). Null: there is no shot list yet. Reads only. Throws db.unavailable.
 */
export async function readContactSheet(
  db: Db,
  artifactDir: string,
  episode: EpisodeRef,
  facts: { title: string | null; costUsd: number },
) {
  const [bodies, switches] = await withDatabaseErrors(
    'Reading the checkpoints failed',
    async () =>
      [await readBodies(db, episode), await readShotSwitches(db, episode.projectId, episode.episodeId)] as const,
  );
  if (!bodies.selection) return null;
  const artifacts = createArtifactStore(artifactDir);
  const read: Read = (artifact) => artifacts.get(artifact);
  return {
    title: facts.title ?? bodies.guide?.title ?? episode.episodeId,
    projectId: episode.projectId,
    episodeId: episode.episodeId,
    language: bodies.guide?.language ?? 'und',
    costUsd: facts.costUsd,
    scenes: await scenesOf(bodies, bodies.selection, switches, read),
    places: await placesOf(bodies, read),
    characters: (bodies.guide?.characters ?? []).map(({ name, description }) => ({ name, description })),
  };
}

async function readBodies(db: Db, { projectId, episodeId }: EpisodeRef) {
  const checkpoints = await currentCheckpoints(db, projectId, episodeId);
  const bodyOf = <T>(step: StepId, schema: z.ZodType<T>): T | null =>
    schema.safeParse(checkpoints.get(step)?.body).data ?? null;
  return {
    guide: bodyOf('world_guide', worldGuideSchema),
    selection: bodyOf('shot_selection', shotSelectionSchema),
    detail: bodyOf('scene_detail', sceneDetailSchema),
    review: bodyOf('t2i_review', t2iReviewSchema),
    plans: bodyOf('floor_plan_render', floorPlanSchema),
    backgrounds: bodyOf('background_render', backgroundSchema),
    images: bodyOf('scene_image_pipeline', sceneImagesSchema),
  };
}

async function scenesOf(
  bodies: Bodies,
  selection: NonNullable<Bodies['selection']>,
  switches: ReadonlyMap<string, boolean>,
  read: Read,
) {
  const variations = bodies.detail ? variationsByShot(bodies.detail) : new Map<string, never>();
  const corrections = correctionsByShot(bodies.detail, bodies.review);
  const artifacts = new Map(bodies.images?.images.map((image) => [image.shot_id, image.artifact]));
  const failures = new Map(bodies.images?.failed.map((item) => [item.item_id, `${item.code}: ${item.message}`]));
  const scenes = [];
  for (const scene of selection.scenes) {
    const shots = [];
    for (const shot of scene.shots) {
      const variation = variations.get(shot.shot_id);
      const artifact = artifacts.get(shot.shot_id);
      const image = artifact === undefined ? null : await read(artifact);
      shots.push({
        shotId: shot.shot_id,
        size: shot.size,
        camera: shot.camera,
        caption: shot.caption,
        speaker: shot.speaker,
        action: shot.action,
        prompt: variation?.t2i_prompt ?? '',
        editedBy: variation?.owned_validation._mutation_origin,
        editReason: corrections.get(shot.shot_id),
        on: switches.get(shot.shot_id) ?? shot.on,
        image,
        missingReason: image
          ? undefined
          : (failures.get(shot.shot_id) ??
            (artifact === undefined ? 'not drawn yet' : 'the file is gone from the artifact store')),
      });
    }
    scenes.push({ heading: scene.heading, place: scene.place, timeOfDay: scene.time_of_day, shots });
  }
  return scenes;
}

/** Places that have a picture of any kind, in the order of the world guide. */
async function placesOf({ guide, plans, backgrounds }: Bodies, read: Read) {
  const places = [];
  for (const { name } of guide?.places ?? []) {
    const plan = plans?.plans.find((one) => foldName(one.place) === foldName(name));
    const drawn = [];
    for (const background of backgrounds?.backgrounds ?? []) {
      if (foldName(background.place) !== foldName(name)) continue;
      const image = await read(background.artifact);
      if (image) drawn.push({ timeOfDay: background.time_of_day, image });
    }
    const floorPlan = plan ? await read(plan.artifact) : null;
    if (floorPlan || drawn.length > 0) places.push({ name, floorPlan, backgrounds: drawn });
  }
  return places;
}

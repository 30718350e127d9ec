import type { EpisodeRef } from '../../src/operations/contract';
import { createTestDatabase, type TestDatabase } from './database';
import { openStudio, type Studio } from './studio';
import { detailOf } from './studio-reads';
import { runStudio } from './studio-run';

/** A database of its own, and a studio with an episode that is finished; each test copies it. */
export interface FinishedStudio {
  readonly database: TestDatabase;
  readonly studio: Studio;
  readonly finished: EpisodeRef;
  /** Ids of the shots, in the order of the scenes. */
  readonly shots: readonly string[];
  close(): Promise<void>;
}

/** `corrected`: the review has corrected the first shot, so scene_detail has version 1 (as made) and 2 (as edited). */
export async function openFinishedStudio({ corrected = false } = {}): Promise<FinishedStudio> {
  const database = await createTestDatabase();
  const studio = await openStudio(database.db);
  const finished = await studio.episode();
  if (corrected)
    studio.answer('t2i_review', () => ({
      corrections: [{ item_id: 'S0_L0_V0', t2i_prompt: 'corrected', reason: 'It was wrong.' }],
    }));
  await runStudio(studio, finished);
  studio.answer('t2i_review', null);
  const { scenes } = await detailOf(database.db, finished);
  return {
    database,
    studio,
    finished,
    shots: scenes.flatMap((scene) => scene.t2i_variations.map((one) => one.shot_id)),
    close: async () => {
      await studio.close();
      await database.drop();
    },
  };
}

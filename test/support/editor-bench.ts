import type { Json } from '../../src/domain/json';
import { STEP_IDS, type StepId } from '../../src/domain/steps';
import { STEPS } from '../../src/pipeline/manifest';
import type { TestDatabase } from './database';
import { OfflineBuyer } from './offline-buyer';
import { createTestEpisode, type TestEpisode } from './test-episode';
import { openTestWorker, type TestWorker, type WorkerOptions } from './test-worker';

/** The one editor step there is. */
export const EDITOR: StepId = 't2i_review';
const VICTIMS = ['entity_t2i', 'scene_detail'] as const;

interface Scenes {
  readonly scenes: readonly {
    readonly scene_index: number;
    readonly t2i_variations: readonly { readonly shot_id: string; readonly t2i_prompt: string }[];
  }[];
}

/** An episode of which all is done that the editor step needs, and a shop that all its processes buy at. */
export interface EditorBench {
  readonly episode: TestEpisode;
  readonly shop: OfflineBuyer;
  /** Another process. */
  another(options?: WorkerOptions): TestWorker;
  scenes(): Promise<Scenes>;
  firstShot(): Promise<{ readonly itemId: string; readonly shot_id: string }>;
  /** What the next review answers. */
  corrections(list: Json[]): void;
  /** The next review corrects the first shot. */
  correct(prompt?: string): Promise<void>;
  /** The first activity, to its end; answers the token. */
  park(by: TestWorker): Promise<string>;
  /** Rows, checkpoints and kept items of what the editor edits. */
  victims(): Promise<string>;
  /** Somebody saves another version of scene_detail. */
  newVersion(body: unknown): Promise<void>;
}

export async function openEditorBench({ db }: TestDatabase): Promise<EditorBench> {
  const episode = await createTestEpisode(db);
  const shop = new OfflineBuyer();
  const another = (options: WorkerOptions = {}): TestWorker =>
    openTestWorker(db, { ...options, deps: { steps: STEPS, buyer: shop, artifacts: shop.probe, ...options.deps } });
  const scenes = async (): Promise<Scenes> => JSON.parse((await episode.bodyOf('scene_detail'))!) as Scenes;
  const firstShot = async () => {
    const [scene] = (await scenes()).scenes;
    return { itemId: `S${scene!.scene_index}_L0_V0`, ...scene!.t2i_variations[0]! };
  };
  const corrections = (list: Json[]) =>
    shop.set(`${EDITOR}:all`, (context, call) => shop.sellText(context, call, { corrections: list }));
  const worker = another();
  for (const step of STEP_IDS.slice(0, STEP_IDS.indexOf(EDITOR))) await worker.attempt(episode, step);
  return {
    episode,
    shop,
    another,
    scenes,
    firstShot,
    corrections,
    correct: async (prompt = 'A prompt of the editor.') => {
      const { itemId } = await firstShot();
      corrections([{ item_id: itemId, t2i_prompt: prompt, reason: 'test' }]);
    },
    park: async (by) => {
      const parked = await by.attempt(episode, EDITOR);
      if (parked.outcome !== 'parked') throw new Error(JSON.stringify(parked));
      return parked.token;
    },
    victims: async () => {
      const { checkpoint, item_result: items, step_run: rows } = await episode.everything();
      const ofVictims = (one: unknown) => VICTIMS.some((step) => JSON.stringify(one).includes(`"step_id":"${step}"`));
      return JSON.stringify([checkpoint, items, rows].map((table) => table!.filter(ofVictims)));
    },
    newVersion: async (body) => {
      const current = await db
        .selectFrom('checkpoint')
        .selectAll()
        .where('project_id', '=', episode.projectId)
        .where('step_id', '=', 'scene_detail')
        .executeTakeFirstOrThrow();
      const { id: _id, ...copy } = current;
      await db
        .insertInto('checkpoint')
        .values({ ...copy, version: copy.version + 1, body: JSON.stringify(body), written_by: 'restore' })
        .execute();
    },
  };
}

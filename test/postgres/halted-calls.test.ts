import { AppError } from '../../src/domain/errors';
import type { EpisodeRef } from '../../src/operations/contract';
import type { Provider, ProviderReply } from '../../src/providers/port';
import { createBuyer } from '../../src/purchases/buyer';
import type { ArtifactStore } from '../../src/store/artifacts/store';
import type { TestDatabase } from '../support/database';
import { openFinishedStudio } from '../support/finished-studio';
import type { Studio } from '../support/studio';
import { copyEpisode } from '../support/studio-copy';
import { runStudio } from '../support/studio-run';

/** After a halt no further call of the step leaves, wherever it waits (spec 40 "Limits", "Budget"). */
let database: TestDatabase;
let studio: Studio;
let finished: EpisodeRef;
let close: () => Promise<void>;
let episode: EpisodeRef;
let shots: readonly string[];
beforeAll(async () => {
  ({ database, studio, finished, shots, close } = await openFinishedStudio());
});
afterAll(() => close());
beforeEach(async () => {
  episode = await copyEpisode(database.db, finished);
});

interface Options {
  readonly concurrentCalls?: number;
  readonly items?: readonly string[];
  readonly artifacts?: ArtifactStore;
}

/** Draws pictures anew through a provider that gives these replies first; answers how many requests left. */
async function redraw(replies: readonly (() => ProviderReply)[], options: Options = {}) {
  const { concurrentCalls = 1, items, artifacts = studio.artifacts } = options;
  let left = 0;
  const provider: Provider = {
    ...studio.provider,
    limits: { concurrentCalls, callsPerMinute: 100_000 },
    send: (request, sending) => {
      const reply = replies[left];
      left += 1;
      return reply ? Promise.resolve(reply()) : studio.provider.send(request, sending);
    },
  };
  const { db, identity, log, sleep } = studio.deps;
  const buyer = createBuyer({
    db,
    identity,
    artifacts,
    providerFor: () => provider,
    callDeadlineSeconds: { text: 120, image: 300 },
    log,
    random: () => 0.5,
    monotonicMs: () => performance.now(),
    sleep,
  });
  const run = await runStudio({ ...studio, deps: { ...studio.deps, buyer } }, episode, {
    steps: ['scene_image_pipeline'],
    ...(items ? { items: { scene_image_pipeline: items } } : { force: ['scene_image_pipeline'] }),
  });
  return { left, ends: run.ends };
}

const emptyAccount = (): ProviderReply => ({ outcome: 'account', message: 'HTTP 401: wrong key' });
const busy = (): ProviderReply => ({ outcome: 'not_charged', code: 'provider.unavailable', message: 'HTTP 503' });

it('calls that wait for a place stay behind when the account cannot pay', async () => {
  expect(await redraw([emptyAccount])).toEqual({ left: 1, ends: { scene_image_pipeline: 'partial' } });
});

it('a call in its back-off is not tried again', async () => {
  const two = shots.slice(0, 2);
  expect(await redraw([busy, emptyAccount], { concurrentCalls: 2, items: two })).toMatchObject({ left: 2 });
});

it('calls that wait for a place stay behind when another crashes', async () => {
  const full = { ...studio.artifacts, put: () => Promise.reject(new AppError('purchase.store_failed', 'disk full')) };
  const before = studio.sales.length;
  await redraw([], { artifacts: full }).catch(() => undefined);
  expect(studio.sales.length - before).toBe(1);
});

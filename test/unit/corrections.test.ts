import { correctionsByShot } from '../../src/operations/queries/corrections';
import type { SceneDetail } from '../../src/pipeline/scene-detail/schema';
import type { T2iReview } from '../../src/pipeline/t2i-review/schema';

/** A body of one scene with these shots; `edited`: a review has changed the prompt. */
const detailOf = (...shots: { readonly id: string; readonly prompt: string; readonly edited?: boolean }[]) =>
  ({
    scenes: [
      {
        scene_index: 3,
        scene_id: 'scene',
        t2i_variations: shots.map(({ id, prompt, edited = true }) => ({
          shot_id: id,
          t2i_prompt: prompt,
          owned_validation: edited ? { _mutation_origin: 't2i_review' } : {},
        })),
      },
    ],
    failed: [],
  }) as unknown as SceneDetail;

const reviewOf = (...corrections: [itemId: string, prompt: string, reason: string][]) =>
  ({
    corrections: corrections.map(([item_id, t2i_prompt, reason]) => ({ item_id, t2i_prompt, reason })),
  }) as unknown as T2iReview;

const reasons = (detail: SceneDetail, review: T2iReview) => Object.fromEntries(correctionsByShot(detail, review));

describe('the reason that a contact sheet shows for a shot', () => {
  it("is that of the review that wrote the shot's prompt; other shots have none", () => {
    const detail = detailOf({ id: 'a', prompt: 'night' }, { id: 'b', prompt: 'as made', edited: false });
    expect(reasons(detail, reviewOf(['S3_L0_V0', 'night', 'It is night.']))).toEqual({ a: 'It is night.' });
  });

  it('has the words of each correction in order, where the last one of them is the prompt of now', () => {
    const review = reviewOf(['S3_L0_V0', 'dusk', 'It is dark.'], ['S3_L0_V0', 'night', 'It is night.']);
    expect(reasons(detailOf({ id: 'a', prompt: 'night' }), review)).toEqual({ a: 'It is dark. It is night.' });
    expect(reasons(detailOf({ id: 'a', prompt: 'dusk' }), review)).toEqual({});
  });

  it('is gone once the prompt is made anew or restored, also where another shot stands in its place', () => {
    const review = reviewOf(['S3_L0_V0', 'night', 'It is night.']);
    expect(reasons(detailOf({ id: 'a', prompt: 'as made', edited: false }), review)).toEqual({});
    expect(reasons(detailOf({ id: 'new', prompt: 'another' }, { id: 'a', prompt: 'night' }), review)).toEqual({});
  });

  it('is none where the correction said the prompt as it was', () => {
    const detail = detailOf({ id: 'a', prompt: 'night', edited: false });
    expect(reasons(detail, reviewOf(['S3_L0_V0', 'night', 'It is right.']))).toEqual({});
  });
});

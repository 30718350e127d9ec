import { changesBetween } from '../../src/operations/queries/snapshot-diff';

const shot = (id: string, prompt: string) => ({ shot_id: id, t2i_prompt: prompt });

describe('two versions of a checkpoint', () => {
  it('are compared prompt by prompt: a shot put in front is one addition, and leaves the others unchanged', () => {
    const before = { scenes: [{ scene_id: 's1', t2i_variations: [shot('a', 'old'), shot('b', 'same')] }] };
    const after = {
      scenes: [
        { scene_id: 's0', t2i_variations: [] },
        { scene_id: 's1', t2i_variations: [shot('n', 'new'), shot('a', 'corrected'), shot('b', 'same')] },
      ],
    };
    expect(changesBetween(before, after)).toEqual([
      { path: '/scenes/1/t2i_variations/1/t2i_prompt', item: 'a', kind: 'changed', before: 'old', after: 'corrected' },
      { path: '/scenes/1/t2i_variations/0', item: 'n', kind: 'added', after: shot('n', 'new') },
      { path: '/scenes/0', item: 's0', kind: 'added', after: { scene_id: 's0', t2i_variations: [] } },
    ]);
  });

  it('with an id that stands twice are compared by position, and none is hidden', () => {
    const before = { images: [shot('a', '1'), shot('a', '2')] };
    const after = { images: [shot('a', '1'), shot('a', '3')] };
    expect(changesBetween(before, after)).toEqual([
      { path: '/images/1/t2i_prompt', kind: 'changed', before: '2', after: '3' },
    ]);
  });

  it('where an item is gone point into the earlier version', () => {
    expect(
      changesBetween({ entities: [{ entity_id: 'x' }, { entity_id: 'y' }] }, { entities: [{ entity_id: 'y' }] }),
    ).toEqual([{ path: '/entities/0', item: 'x', kind: 'removed', before: { entity_id: 'x' } }]);
  });
});

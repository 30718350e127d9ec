import { callSecondsByStep, expectedMinutes, totalMinutes } from '../../src/operations/expected-minutes';

const call = (step: string, seconds: number) => ({
  step_id: step,
  sent_at: '2026-03-25T04:12:00.000000Z',
  settled_at: new Date(Date.UTC(2026, 2, 25, 4, 12, seconds)).toISOString(),
});

test('a call takes what earlier calls of its own step took, on average; times that cannot be read count for nothing', () => {
  const seconds = callSecondsByStep([
    call('scene_detail', 10),
    call('scene_detail', 50),
    call('entity_t2i', 6),
    { ...call('entity_t2i', 1), sent_at: 'last Tuesday' },
    { ...call('entity_t2i', 1), settled_at: null },
  ]);
  expect([...seconds]).toEqual([
    ['scene_detail', 30],
    ['entity_t2i', 6],
  ]);
});

test.each([
  ['nothing to buy', 0, undefined, 0],
  ['calls of which nothing is known', 3, undefined, null],
  ['eight at once', 8, 30, 0.5],
  ['one more than go at once', 9, 30, 1],
])('%s', (_what, calls, callSeconds, minutes) => expect(expectedMinutes(calls, callSeconds)).toBe(minutes));

test('the whole is not known where one step is not', () => {
  expect(totalMinutes([0, 1.5, 2])).toBe(3.5);
  expect(totalMinutes([1, null])).toBeNull();
});

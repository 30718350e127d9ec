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

const limits = (concurrentCalls: number, callsPerMinute: number) => () => ({ concurrentCalls, callsPerMinute });
const unknown = () => {
  throw new Error('nothing is bought of it');
};

test.each([
  ['nothing to buy', 0, undefined, unknown, 0],
  ['calls of which nothing is known', 3, undefined, unknown, null],
  ['as many as a step has at once, where the provider takes more', 8, 30, limits(20, 1_000), 0.5],
  ['one more than a step has at once', 9, 30, limits(20, 1_000), 1],
  ['as many as the provider takes at once, where that is less', 4, 30, limits(4, 1_000), 0.5],
  ['one more than the provider takes at once', 5, 30, limits(4, 1_000), 1],
  ['short calls of which the provider takes few a minute', 90, 3, limits(8, 30), 2.05],
  ['as many short calls as it takes in one', 10, 3, limits(20, 10), 0.1],
])('%s', (_what, calls, callSeconds, limitsOf, minutes) =>
  expect(expectedMinutes(calls, callSeconds, limitsOf)).toBe(minutes),
);

test('the whole is not known where one step is not', () => {
  expect(totalMinutes([0, 1.5, 2])).toBe(3.5);
  expect(totalMinutes([1, null])).toBeNull();
});

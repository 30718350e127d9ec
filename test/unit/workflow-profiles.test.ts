import { closeAgainAfterMs } from '../../src/workflows/profiles';

const HOUR_MS = 3_600_000;

test('a run that waits to close looks after each sweep at first, and ever more rarely, as the wait grows', () => {
  const after = (waitedMs: number) => closeAgainAfterMs(waitedMs, { sweepSeconds: 5 });
  expect([0, 5_000, 20_000, 60_000, 240_000, HOUR_MS, 10 * HOUR_MS].map(after)).toEqual([
    5_000, 5_000, 5_000, 15_000, 60_000, 60_000, 600_000,
  ]);
});

test('a sweep of more than a minute stays what it is', () => {
  expect(closeAgainAfterMs(HOUR_MS, { sweepSeconds: 90 })).toBe(90_000);
});

test('a month of waiting leaves most of a history free', () => {
  let looks = 0;
  for (let waitedMs = 0; waitedMs < 30 * 24 * HOUR_MS; waitedMs += closeAgainAfterMs(waitedMs, { sweepSeconds: 5 }))
    looks += 1;
  expect(looks * 11).toBeLessThan(10_000); // a look is 11 events; the server warns at 10,240, and ends a history at 51,200
});

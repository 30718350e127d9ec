import { EventRing, pageOf, type EventFrame } from '../../src/http/events/ring';
import { Turns } from '../../src/http/events/turns';

const START = { xid: 10n, id: 0n };
const frame = (id: number, episode = 'a', bytes = 10): EventFrame => ({
  cursor: { xid: 10n + BigInt(id), id: BigInt(id) },
  episode,
  bytes: Buffer.alloc(bytes),
});
const ids = (page: { readonly frames: readonly EventFrame[] } | null) =>
  page?.frames.map(({ cursor }) => Number(cursor.id));

test('a reader gets what came after its cursor, of its own episode alone', () => {
  const ring = new EventRing(START, { frames: 10, bytes: 1_000 });
  for (const [id, episode] of [
    [1, 'a'],
    [2, 'b'],
    [3, 'a'],
    [4, 'b'],
    [5, 'a'],
  ] as const)
    ring.push(frame(id, episode));
  expect(ids(ring.after(START, 'a'))).toEqual([1, 3, 5]);
  expect(ids(ring.after(frame(3).cursor, 'a'))).toEqual([5]);
  expect(ids(ring.after(frame(5).cursor, 'b'))).toEqual([]);
  expect(ring.head).toEqual(frame(5).cursor);
});

test('who is behind the oldest that is left is told so, and nobody gets a gap', () => {
  const ring = new EventRing(START, { frames: 3, bytes: 1_000 });
  for (let id = 1; id <= 5; id += 1) ring.push(frame(id));
  expect(ring.after(START, 'a')).toBeNull();
  expect(ring.after(frame(1).cursor, 'a')).toBeNull();
  expect(ids(ring.after(frame(2).cursor, 'a'))).toEqual([3, 4, 5]);
});

test('large events push out more of the old ones, and one that is too large for all is kept alone', () => {
  const ring = new EventRing(START, { frames: 100, bytes: 25 });
  for (let id = 1; id <= 3; id += 1) ring.push(frame(id));
  expect(ids(ring.after(frame(1).cursor, 'a'))).toEqual([2, 3]);
  ring.push(frame(4, 'a', 1_000));
  expect(ids(ring.after(frame(3).cursor, 'a'))).toEqual([4]);
});

test('a reader that is far behind is handed one page at a time, and not all that there is', () => {
  const ring = new EventRing(START, { frames: 100, bytes: 10_000_000 });
  for (let id = 1; id <= 10; id += 1) ring.push(frame(id, 'a', 30_000));
  const page = ring.after(START, 'a');
  expect([ids(page), page?.isWhole]).toEqual([[1, 2], false]);
});

test('a page holds what a waiting reader may hold, one frame at the least, and says when it leaves some out', () => {
  const frames = [frame(1, 'a', 40_000), frame(2, 'a', 20_000), frame(3, 'a', 10_000)];
  expect([ids(pageOf(frames)), pageOf(frames).isWhole]).toEqual([[1, 2], false]);
  expect([ids(pageOf([frame(1, 'a', 100_000), frame(2)])), pageOf([frame(1, 'a', 100_000)]).isWhole]).toEqual([
    [1],
    true,
  ]);
  expect(pageOf([])).toEqual({ frames: [], isWhole: true });
});

test('turns are taken in order, so many at a time; one that fails or is given up makes room for the next', async () => {
  const turns = new Turns(1);
  const done: string[] = [];
  const never = new AbortController();
  const gone = new AbortController();
  let finish: () => void = () => undefined;
  const first = turns.take(() => new Promise<void>((resolve) => (finish = resolve)), never.signal);
  const failing = turns.take(() => Promise.reject(new Error('broken')), never.signal);
  const given = turns.take(async () => done.push('given up'), gone.signal);
  const last = turns.take(async () => done.push('last'), never.signal);
  gone.abort();
  finish();
  await first;
  await expect(failing).rejects.toThrow('broken');
  expect(await given).toBeNull();
  await last;
  expect(done).toEqual(['last']);
});

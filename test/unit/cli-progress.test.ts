import { barLine } from '../../src/cli/progress/bar-line';
import { createProgressLines } from '../../src/cli/progress/lines';
import { Pace } from '../../src/cli/progress/pace';
import { columnsOf } from '../../src/cli/plain-text';
import { statusReading, stepStatus } from '../support/status-body';
import { terminalDouble } from '../support/terminal-double';

describe('time left', () => {
  test('is told from the pace of items, less what has passed since the newest', () => {
    const pace = new Pace();
    pace.note(0, 0);
    pace.note(10_000, 1);
    pace.note(20_000, 2);
    expect(pace.secondsLeft(20_000, 5)).toBe(30);
    expect(pace.secondsLeft(25_000, 5)).toBe(25);
    expect(pace.secondsLeft(900_000, 5)).toBe(20);
  });

  test('is not told before there is a pace', () => {
    const pace = new Pace();
    expect(pace.secondsLeft(0, 5)).toBeNull();
    pace.note(0, 3);
    pace.note(60_000, 3);
    expect(pace.secondsLeft(60_000, 5)).toBeNull();
  });

  test('a new attempt with fewer items done begins anew', () => {
    const pace = new Pace();
    pace.note(0, 0);
    pace.note(1_000, 10);
    pace.note(2_000, 1);
    expect(pace.secondsLeft(2_000, 5)).toBeNull();
  });

  test('the last two minutes count, not a slow hour before', () => {
    const pace = new Pace();
    for (let item = 0; item <= 3; item += 1) pace.note(item * 3_600_000, item);
    for (let item = 4; item <= 200; item += 1) pace.note(3 * 3_600_000 + (item - 3) * 1_000, item);
    expect(pace.secondsLeft(3 * 3_600_000 + 197_000, 210)).toBeLessThan(15);
  });
});

describe('plain lines', () => {
  function lines() {
    const printed: string[] = [];
    let nowMs = 0;
    const view = createProgressLines(
      (line) => printed.push(line),
      () => nowMs,
    );
    const show = (atMs: number, done: number, status = 'running') => {
      nowMs = atMs;
      const step = stepStatus('scene_image_pipeline', {
        status,
        applicableCount: 63,
        completedCount: done,
        calls: done,
        costUsd: done * 0.04,
      });
      view.update(
        statusReading([
          stepStatus('world_guide', { status: 'completed', completedCount: 1, applicableCount: 1 }),
          step,
        ]),
      );
    };
    return { printed, view, show };
  }

  test('one line a change of status at once, and of counts every 5 s at most', () => {
    const { printed, show } = lines();
    show(0, 0);
    show(300, 1);
    show(4_900, 5);
    show(5_000, 6);
    show(5_100, 6);
    show(5_200, 63, 'completed');
    expect(printed).toEqual([
      'scene_image_pipeline running 0/63 0 calls $0.00',
      'scene_image_pipeline running 6/63 6 calls $0.24',
      'scene_image_pipeline completed 63/63 63 calls $2.52',
    ]);
  });

  test('steps that are at rest from the start are not said', () => {
    const { printed, show } = lines();
    show(0, 0, 'pending');
    expect(printed).toEqual([]);
  });

  test('after the end nothing is printed any more', () => {
    const { printed, view, show } = lines();
    view.end();
    show(0, 0);
    expect(printed).toEqual([]);
  });
});

describe('a bar', () => {
  const { terminal } = terminalDouble();
  const line = (changes: Parameters<typeof stepStatus>[1], columns = 79, secondsLeft: number | null = null) =>
    barLine(terminal.colours, { step: stepStatus('scene_image_pipeline', changes), secondsLeft, word: '' }, columns);

  test('fits 80 columns with large figures, and narrow windows without the bar', () => {
    const large = { status: 'running', applicableCount: 640, completedCount: 639, calls: 12_345, costUsd: 9_999.99 };
    expect(columnsOf(line(large, 79, 360_000))).toBeLessThanOrEqual(79);
    expect(line(large, 50, 10)).not.toContain('█');
  });

  test('62 of 63 does not look finished; an end without items does', () => {
    expect(line({ status: 'running', applicableCount: 63, completedCount: 62 })).toContain('░');
    expect(line({ status: 'completed', applicableCount: 0 })).not.toContain('░');
  });

  test('says how long the rest takes while running, and how it ended after', () => {
    expect(line({ status: 'running', applicableCount: 63, completedCount: 2 }, 79, 125)).toMatch(/~2m05s left$/);
    expect(line({ status: 'failed' })).toMatch(/failed$/);
    expect(line({ status: 'pending' })).toMatch(/waiting$/);
  });
});

import type { Context } from '@temporalio/activity';
import { stopRequestedOf } from '../../src/activities/stop-requested';

const NONE = {
  cancelRequested: false,
  timedOut: false,
  reset: false,
  paused: false,
  notFound: false,
  workerShutdown: false,
};

const ask = (details: Partial<typeof NONE> | null, shutdown = false) => {
  const context = {
    cancellationSignal: { aborted: details !== null },
    cancellationDetails: details ? { ...NONE, ...details } : undefined,
  } as unknown as Context;
  return stopRequestedOf(context, { requested: shutdown })();
};

describe('what Temporal and the process want of an attempt', () => {
  it('goes on while nobody asks', () => {
    expect(ask(null)).toBeNull();
  });

  it('is a cancel only where someone asked for one', () => {
    expect(ask({ cancelRequested: true })).toEqual({ why: 'cancelled' });
    expect(ask({ cancelRequested: true, workerShutdown: true }, true)).toEqual({ why: 'cancelled' });
  });

  it.each([
    ['timedOut', 'timed out'],
    ['reset', 'reset'],
    ['paused', 'paused'],
    ['notFound', 'not found'],
    ['workerShutdown', 'shutdown'],
  ] as const)('is a hand-back when it is %s', (detail, cause) => {
    expect(ask({ [detail]: true })).toEqual({ why: 'handed_back', cause });
  });

  it.each(['timedOut', 'reset', 'notFound'] as const)(
    "does not take a cancel that comes along with %s for someone's wish",
    (detail) => {
      expect(ask({ cancelRequested: true, [detail]: true })).toMatchObject({ why: 'handed_back' });
    },
  );

  it('is a hand-back when the process is asked to end', () => {
    expect(ask(null, true)).toEqual({ why: 'handed_back', cause: 'shutdown' });
  });
});

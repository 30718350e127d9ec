import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createRescanActivities } from '../../src/activities/rescan-round';
import { createAiClient } from '../../src/contexts/ai-client';
import type { Db } from '../../src/db/pool';
import { keepingLog, SETTINGS } from '../support/rescan';

const AI = { url: undefined, secret: undefined, timeoutMs: 1_000, concurrentRequests: 8, queueLength: 8 };

/** A database that takes a statement and says nothing more, as one does behind a connection that is dead and does not know it. */
const silent = { transaction: () => ({ execute: () => new Promise(() => {}) }) } as unknown as Db;

describe('a round that hangs', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function begin(environment: MockActivityEnvironment) {
    const { log } = keepingLog();
    const rescan = { ...SETTINGS, intervalMs: 1_000 };
    const activities = createRescanActivities({
      ...{ db: silent, log, rescan, ai: AI },
      client: createAiClient(AI),
      monotonicMs: () => 0,
    });
    let ended: unknown = 'not yet';
    void environment
      .run(() => activities.rescanRound({}))
      .then(
        () => (ended = 'well'),
        (error: unknown) => (ended = error),
      );
    return () => ended;
  }

  it('gives its place back some seconds after it is told to stop, as a failure of its own and not as a cancel', async () => {
    const environment = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') });
    const ended = begin(environment);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(ended()).toBe('not yet'); // how long a round may take is Temporal's to say
    environment.cancel('TIMED_OUT');
    await jest.advanceTimersByTimeAsync(7_000);
    expect(ended()).toBe('not yet');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(ended()).toMatchObject({ name: 'ApplicationFailure', type: 'internal.unexpected', nonRetryable: true });
    expect((ended() as ApplicationFailure).message).toContain('8000 ms after it was told to stop');
    expect(jest.getTimerCount()).toBe(0);
  });
});

import { readConfig } from '../../src/config';
import { parseDurationMs } from '../../src/domain/duration';
import { roundLimitMs } from '../../src/rescan/round-limit';

describe('the settings of the rescan', () => {
  it('have the five defaults of spec 30', () => {
    expect(readConfig({}).rescan).toEqual({
      intervalMs: 300_000,
      pendingExpiryMs: 300_000,
      processingExpiryMs: 600_000,
      maxRetries: 3,
      batchSize: 100,
    });
  });

  it('are a group of their own beside those of the AI service', () => {
    expect(readConfig({}).ai).toEqual({
      url: undefined,
      secret: undefined,
      timeoutMs: 10_000,
      concurrentRequests: 8,
      queueLength: 1_000,
    });
    expect(readConfig({}).deployment).toBe('default');
  });

  it('are read from their names', () => {
    const environment = {
      RESCAN_INTERVAL: '90s',
      RESCAN_PENDING_EXPIRY: '2h',
      RESCAN_PROCESSING_EXPIRY: '1500ms',
      RESCAN_MAX_RETRIES: '7',
      RESCAN_BATCH_SIZE: '11',
    };
    expect(readConfig(environment).rescan).toEqual({
      intervalMs: 90_000,
      pendingExpiryMs: 7_200_000,
      processingExpiryMs: 1_500,
      maxRetries: 7,
      batchSize: 11,
    });
    const ai = {
      AI_URL: 'http://ai.example:1/x',
      AI_SECRET: 's',
      AI_TIMEOUT: '3s',
      AI_CONCURRENT: '2',
      AI_QUEUE_LENGTH: '5',
    };
    expect(readConfig(ai).ai).toEqual({
      url: 'http://ai.example:1/x',
      secret: 's',
      timeoutMs: 3_000,
      concurrentRequests: 2,
      queueLength: 5,
    });
  });

  const durations = ['RESCAN_INTERVAL', 'RESCAN_PENDING_EXPIRY', 'RESCAN_PROCESSING_EXPIRY', 'AI_TIMEOUT'];
  const otherForms = [
    '300',
    '5 m',
    '5min',
    'PT5M',
    '5M',
    '0m',
    '-5m',
    '1.5m',
    '1m30s',
    '',
    'm',
    '999999h',
    '50ms',
  ].filter((form) => form !== '');
  it.each(durations.flatMap((name) => otherForms.map((value) => [name, value])))(
    'stop start-up and name %s for %j',
    (name, value) => {
      expect(() => readConfig({ [name]: value })).toThrow(
        expect.objectContaining({ code: 'config.invalid', message: expect.stringContaining(name) }),
      );
    },
  );

  const numbers = ['RESCAN_MAX_RETRIES', 'RESCAN_BATCH_SIZE', 'AI_CONCURRENT', 'AI_QUEUE_LENGTH'];
  it.each(numbers.flatMap((name) => ['0', '-1', '2.5', 'three', '1e9'].map((value) => [name, value])))(
    'stop start-up and name %s for %j',
    (name, value) => {
      expect(() => readConfig({ [name]: value })).toThrow(
        expect.objectContaining({ code: 'config.invalid', message: expect.stringContaining(name) }),
      );
    },
  );

  it.each([
    ['AI_URL', 'ftp://x'],
    ['AI_URL', 'ai:80'],
    ['CALLSHEET_DEPLOYMENT', 'a/b'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(expect.objectContaining({ code: 'config.invalid' }));
  });
});

describe('a duration', () => {
  it.each([
    ['1ms', 1],
    ['10s', 10_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
  ])('%s is %d ms', (text, ms) => expect(parseDurationMs(text)).toBe(ms));
});

describe('the time limit of a round', () => {
  it('is above what a full batch takes of a service that answers each request at the last moment', () => {
    const limit = roundLimitMs({ batchSize: 100 }, { timeoutMs: 10_000, concurrentRequests: 8 });
    expect(limit).toBeGreaterThan(13 * 10_000);
    expect(limit).toBeLessThan(600_000);
  });
});

import { readConfig } from '../../src/config';

describe('the settings that spec 10 fixes', () => {
  it('have the defaults that other tools and the operating guide count on', () => {
    expect(readConfig({}).times).toEqual({
      stepRunningTimeoutSeconds: 3600,
      leaseSeconds: 90,
      heartbeatSeconds: 30,
      sweepSeconds: 5,
      stallSeconds: 600,
    });
  });

  it('are read from the names that spec 10 gives them', () => {
    const environment = {
      STEP_RUNNING_TIMEOUT_SECONDS: '11',
      STEP_LEASE_SECONDS: '12',
      STEP_HEARTBEAT_SECONDS: '3',
      STEP_SWEEP_SECONDS: '14',
      STEP_STALL_SECONDS: '15',
    };
    expect(readConfig(environment).times).toEqual({
      stepRunningTimeoutSeconds: 11,
      leaseSeconds: 12,
      heartbeatSeconds: 3,
      sweepSeconds: 14,
      stallSeconds: 15,
    });
  });

  const names = [
    'STEP_RUNNING_TIMEOUT_SECONDS',
    'STEP_LEASE_SECONDS',
    'STEP_HEARTBEAT_SECONDS',
    'STEP_SWEEP_SECONDS',
    'STEP_STALL_SECONDS',
  ];
  // JavaScript would read several of these as numbers: each must stop the start instead of changing what "dead" means.
  const notPositiveWholeNumbers = ['0', '-5', '2.5', 'abc', 'NaN', 'Infinity', '1e400', '30s', ' '];
  it.each(names.flatMap((name) => notPositiveWholeNumbers.map((value) => [name, value])))(
    'stop start-up when %s is %j',
    (name, value) => {
      expect(() => readConfig({ [name]: value })).toThrow(expect.objectContaining({ code: 'config.invalid' }));
    },
  );

  it('accept an interval of exactly a third of the lease, and refuse one second more', () => {
    expect(readConfig({ STEP_LEASE_SECONDS: '90', STEP_HEARTBEAT_SECONDS: '30' }).times.heartbeatSeconds).toBe(30);
    expect(() => readConfig({ STEP_LEASE_SECONDS: '90', STEP_HEARTBEAT_SECONDS: '31' })).toThrow(
      /STEP_HEARTBEAT_SECONDS/,
    );
  });

  it('count as absent when empty, so that an empty line in an env file changes nothing', () => {
    expect(readConfig({ STEP_LEASE_SECONDS: '' }).times.leaseSeconds).toBe(90);
  });

  it('cannot be changed after start-up', () => {
    const config = readConfig({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.times)).toBe(true);
  });
});

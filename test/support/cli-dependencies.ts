import { readConfig } from '../../src/config';
import type { Dependencies, StackHandle } from '../../src/cli/dependencies';

/** A stack whose end a test decides, and that counts its stops. */
export function stackDouble(changes: Partial<StackHandle> = {}) {
  const stops: ({ readonly atOnce?: boolean } | undefined)[] = [];
  let end: () => void = () => undefined;
  const stack: StackHandle = {
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    joined: false,
    onEnd: (ended) => {
      end = ended;
    },
    stop: (options) => {
      stops.push(options);
      return Promise.resolve();
    },
    ...changes,
  };
  return { stack, stops, end: () => end() };
}

/** Dependencies that refuse everything a test has not given: what must not be started is seen when it is. */
export function cliDependencies(
  given: Partial<Dependencies> = {},
  environment: Record<string, string> = {},
): Dependencies {
  const refuse = (what: string) => () => {
    throw new Error(`${what} was not expected here`);
  };
  return {
    readConfig: () => readConfig(environment),
    openStack: refuse('openStack'),
    keeperOfLiveStack: () => undefined,
    openOperations: refuse('openOperations'),
    up: refuse('up'),
    doctor: refuse('doctor'),
    runWorker: refuse('runWorker'),
    runApi: refuse('runApi'),
    writeContactSheet: refuse('writeContactSheet'),
    ...given,
  };
}

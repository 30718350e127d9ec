import path from 'node:path';
import type { ChildName } from '../../src/embedded/children-file';
import { endKilledStack, startRecord } from '../../src/embedded/clean-start';
import { takeLock, type FileLock } from '../../src/embedded/file-lock';
import { homeAt, makeHome, type Home } from '../../src/embedded/home';
import type { OnSpawned, StartedChild } from '../../src/embedded/started-child';
import { supervise, type Supervised } from '../../src/embedded/supervisor';

const repository = path.resolve(__dirname, '../..');
/** Test runs side by side in one folder are rare; each of them takes the first home that is free. */
const MOST_HOMES = 9;

/** The folder in which the tests' own servers live, apart from the product's `.callsheet/` (spec 50 "Setting up"). */
export interface TestHome {
  readonly home: Home;
  /** Starts a server that ends with this test run, however that ends. */
  start(name: ChildName, start: (spawned: OnSpawned) => Promise<StartedChild>): Promise<Supervised>;
  /** Gives the folder back, when its servers have been stopped. */
  leave(): Promise<void>;
}

function takeHome(): { home: Home; lock: FileLock } {
  for (let number = 1; number <= MOST_HOMES; number += 1) {
    const home = homeAt(path.join(repository, number === 1 ? '.callsheet-test' : `.callsheet-test-${number}`));
    makeHome(home);
    const outcome = takeLock(home.lock, 'tests');
    if (outcome.held) return { home, lock: outcome.lock };
  }
  throw new Error(`${MOST_HOMES} test runs are at work in this folder already; wait for one to end.`);
}

/** Takes a home for this test run, and ends what a killed test run left in it. */
export async function openTestHome(say: (line: string) => void): Promise<TestHome> {
  const { home, lock } = takeHome();
  await endKilledStack(home, say);
  const { record, keeper } = await startRecord(home, say);
  return {
    home,
    start: (name, start) => supervise({ name, start, record, say }),
    leave: async () => {
      await keeper.stop();
      record.removeFile();
      lock.release();
    },
  };
}

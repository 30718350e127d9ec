import { mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ChildName } from '../../src/embedded/children-file';
import { endKilledStack, startRecord } from '../../src/embedded/clean-start';
import { takeLock, type FileLock } from '../../src/embedded/file-lock';
import { homeAt, makeHome, type Home } from '../../src/embedded/home';
import type { OnSpawned, StartedChild } from '../../src/embedded/started-child';
import { blockedAt } from '../../src/embedded/postgres-reach';
import { requirePostgresUser } from '../../src/embedded/postgres-user';
import { supervise, type Supervised } from '../../src/embedded/supervisor';
import { sha256 } from '../../src/hash';

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

/**
 * Where the homes lie: in the repository, or, where the user of PostgreSQL cannot enter it (a clone by root in a closed folder),
 * in the system's folder for temporary files, under a name that is always the same for this repository.
 */
function homesFolder(say: (line: string) => void): string {
  const user = requirePostgresUser(say);
  if (!user || blockedAt(repository, user) === undefined) return repository;
  const folder = path.join(os.tmpdir(), `callsheet-test-${sha256(repository).slice(0, 12)}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  say(`The system user postgres may not enter ${repository}: the tests' servers live in ${folder}.`);
  return folder;
}

function takeHome(say: (line: string) => void): { home: Home; lock: FileLock } {
  const folder = homesFolder(say);
  for (let number = 1; number <= MOST_HOMES; number += 1) {
    const home = homeAt(path.join(folder, number === 1 ? '.callsheet-test' : `.callsheet-test-${number}`));
    makeHome(home);
    const outcome = takeLock(home.lock, 'tests');
    if (outcome.held) return { home, lock: outcome.lock };
  }
  throw new Error(`${MOST_HOMES} test runs are at work in this folder already; wait for one to end.`);
}

/** Takes a home for this test run, and ends what a killed test run left in it. */
export async function openTestHome(say: (line: string) => void): Promise<TestHome> {
  const { home, lock } = takeHome(say);
  await endKilledStack(home, say);
  const { record, keeper } = await startRecord(home, say);
  return {
    home,
    start: (name, start) => supervise({ name, start, record, say }),
    leave: async () => {
      await keeper.stop();
      rmSync(home.children, { force: true });
      lock.release();
    },
  };
}

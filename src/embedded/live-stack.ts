import { readLock } from './file-lock';
import { homeAt } from './home';
import { keeperOf, type StackKeeper } from './lock-purpose';
import { isAlive } from './process-identity';
import { readStackFile, type StackFile } from './stack-file';

export interface LiveStack extends StackFile {
  readonly keptBy: StackKeeper;
}

/** The stack that runs in a home now, without starting or joining anything; undefined: none, or it is still starting. */
export function findLiveStack(homeFolder: string): LiveStack | undefined {
  const home = homeAt(homeFolder);
  const holder = readLock(home.lock);
  const running = readStackFile(home.stack);
  if (!holder || !running || holder.pid !== running.pid || !isAlive(holder)) return undefined;
  const keptBy = keeperOf(holder);
  return keptBy && { ...running, keptBy };
}

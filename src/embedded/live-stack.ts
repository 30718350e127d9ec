import { readLock } from './file-lock';
import { homeAt } from './home';
import { isAlive } from './process-identity';
import { readStackFile, type StackFile } from './stack-file';

/** The stack that runs in a home now, without starting or joining anything; undefined: none, or it is still starting. */
export function findLiveStack(homeFolder: string): StackFile | undefined {
  const home = homeAt(homeFolder);
  const holder = readLock(home.lock);
  const running = readStackFile(home.stack);
  return holder && running && holder.pid === running.pid && isAlive(holder) ? running : undefined;
}

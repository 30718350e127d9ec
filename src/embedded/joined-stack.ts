import type { LockHolder } from './file-lock';
import { readLock } from './file-lock';
import type { Home } from './home';
import { isAlive } from './process-identity';
import type { Stack } from './open-stack';
import { readStackFile, type StackFile } from './stack-file';

const LOOK_EVERY_MS = 300;

/** A stack that belongs to another process; it tells when that one stops it, or is gone. */
export function joinStack(home: Home, holder: LockHolder, running: StackFile): Stack {
  const callbacks: (() => void)[] = [];
  let ended = false;
  const timer = setInterval(() => {
    // An orderly stop removes stack.json first, so that nobody joins a stack that ends.
    const there =
      isAlive(holder) && readLock(home.lock)?.id === holder.id && readStackFile(home.stack)?.pid === running.pid;
    if (there) return;
    clearInterval(timer);
    ended = true;
    for (const callback of callbacks.splice(0)) callback();
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    databaseUrl: running.databaseUrl,
    temporalAddress: running.temporalAddress,
    temporalUiUrl: running.temporalUiUrl ?? undefined,
    apiUrl: running.apiUrl ?? undefined,
    joined: true,
    onEnd(callback) {
      if (ended) callback();
      else callbacks.push(callback);
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

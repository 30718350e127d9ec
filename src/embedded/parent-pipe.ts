import { Socket } from 'node:net';

const HARD_END_MS = 5_000;

/** A broken pipe of standard output is expected when the parent is gone, and must not end us before we handed back. */
function tolerateBrokenOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * For the worker and the API of the embedded stack: calls `onGone` once when the pipe to the parent closes (the parent has
 * ended, however), and exits hard 5 s after that, so that nobody outlives the stack (spec 50 "Setting up"). `onGone` hands
 * back what is held and exits. Does nothing where `parentFd` (config.parentFd) is undefined. Answers how to stop watching.
 */
export function endWithParent(parentFd: number | undefined, onGone: () => void, hardEndMs = HARD_END_MS): () => void {
  if (parentFd === undefined) return () => undefined;
  tolerateBrokenOutput();
  const pipe = new Socket({ fd: parentFd, readable: true, writable: false });
  let over = false;
  const gone = () => {
    if (over) return;
    over = true;
    setTimeout(() => process.exit(1), hardEndMs).unref();
    onGone();
  };
  pipe.on('error', gone);
  pipe.on('close', gone);
  pipe.on('end', gone);
  pipe.resume();
  // Watching the parent alone keeps nobody alive.
  pipe.unref();
  return () => {
    over = true;
    pipe.destroy();
  };
}

/** Tells the parent that this process does its work now: one JSON line on standard output. */
export function tellReady(): void {
  process.stdout.write('{"ready":true}\n');
}

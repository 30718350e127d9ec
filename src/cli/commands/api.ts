import { spawn } from 'node:child_process';
import path from 'node:path';
import { childEnvironment } from '../../config';
import { COMPILED_SOURCES } from '../../embedded/compiled-folder';
import { onEndSignals } from '../../embedded/end-signals';
import { EXIT } from '../exit-codes';

const PARENT_FD = 3;

/**
 * `callsheet api`: the HTTP API as a process of its own, since doors share no rooms. It ends with this one, however this one
 * ends; signals are passed on. Answers its exit code.
 */
export async function runApiProcess(): Promise<number> {
  const script = path.join(COMPILED_SOURCES, 'http', 'main.js');
  const child = spawn(process.execPath, [script], {
    env: childEnvironment({ CALLSHEET_PARENT_FD: String(PARENT_FD) }),
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  // We only hold the other end; that it breaks when the child ends is no fault.
  child.stdio[PARENT_FD]?.on('error', () => undefined);
  const stopListening = onEndSignals({ first: () => child.kill('SIGTERM'), again: () => child.kill('SIGKILL') });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? EXIT.failed));
    });
  } finally {
    stopListening();
  }
}

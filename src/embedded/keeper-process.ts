import { spawn } from 'node:child_process';
import { childEnvironment } from '../config';
import type { ChildrenRecord } from './children-file';
import { compiledEntry } from './compiled-folder';
import { END_AT_ONCE } from './process-end';
import { startedChild, type OnSpawned, type StartedChild } from './started-child';

/** Starts the keeper, tells it the living children now and at each change. The pipe closes with this process. */
export async function startKeeper(record: ChildrenRecord, spawned: OnSpawned): Promise<StartedChild> {
  const child = spawn(process.execPath, [compiledEntry('keeper')], {
    // Not in the folder that the user may want to remove or unmount.
    cwd: '/',
    env: childEnvironment({}),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = child.stdin;
  // It may have died a moment ago; its supervisor starts it again, and that one is told everything.
  pipe.on('error', () => undefined);
  const tell = () => {
    if (pipe.writable) pipe.write(`${JSON.stringify(record.all)}\n`);
  };
  const started = await startedChild('keeper', child, END_AT_ONCE);
  spawned(started);
  const stopTelling = record.onChange(tell);
  void started.exited.then(stopTelling);
  tell();
  return started;
}

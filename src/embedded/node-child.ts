import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../config';
import { AppError } from '../domain/errors';
import { lastLine, openLog, sizeOfLog, tailOfLog } from './log-file';
import { END_AT_ONCE, type EndStep } from './process-end';
import { describeExit, startedChild, type OnSpawned, type StartedChild } from './started-child';

const READY_LIMIT_MS = 60_000;
const PARENT_FD = 3;

export interface NodeChildOptions {
  readonly name: 'worker' | 'api';
  readonly script: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly endSteps: readonly EndStep[];
}

function isReadyLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'ready' in value && value.ready === true;
  } catch {
    return false;
  }
}

/**
 * Starts the worker or the API, with descriptor 3 as the pipe to us, and waits for its line {"ready":true}; everything else it
 * prints goes to its log. Throws stack.start_failed, naming the log, where it ends before or is not ready within 60 s.
 */
export async function startNodeChild(
  { name, script, environment, logFile, endSteps }: NodeChildOptions,
  spawned: OnSpawned,
): Promise<StartedChild> {
  const before = sizeOfLog(logFile);
  const log = openLog(logFile);
  const program = spawn(process.execPath, ['--enable-source-maps', script], {
    env: childEnvironment({ ...environment, CALLSHEET_PARENT_FD: String(PARENT_FD) }),
    detached: true,
    stdio: ['ignore', 'pipe', log, 'pipe'],
  });
  // We only hold the other end; that it breaks when the child ends is no fault.
  program.stdio[PARENT_FD]?.on('error', () => undefined);
  let sayReady = () => undefined as void;
  const ready = new Promise<void>((resolve) => (sayReady = resolve));
  const output = program.stdout;
  if (output === null) throw new Error('No pipe to the standard output.');
  createInterface({ input: output }).on('line', (line) => {
    if (isReadyLine(line)) sayReady();
    else writeSync(log, `${line}\n`);
  });
  program.once('close', () => closeSync(log));
  const child = await startedChild(name, program, endSteps);
  spawned(child);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`it was not ready after ${READY_LIMIT_MS / 1000} s`), READY_LIMIT_MS);
  });
  const problem = await Promise.race([
    ready.then(() => undefined),
    child.exited.then((exit) => `it ended with ${describeExit(exit)}`),
    tooLate,
  ]);
  clearTimeout(timer);
  if (problem === undefined) return child;
  await child.end(END_AT_ONCE);
  throw new AppError(
    'stack.start_failed',
    `The ${name} did not start: ${problem} (${lastLine(tailOfLog(logFile, before))}). Log: ${logFile}`,
  );
}

import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../config';
import { AppError } from '../domain/errors';
import { lastLine, openLog, sizeOfLog, tailOfLog } from './log-file';
import { END_AT_ONCE, type EndStep } from './process-end';
import type { StartAttempt } from './server-ports';
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

/** What it says of its own end: its error, which a line on what to do next may follow. */
function complaintIn(said: string): string {
  const complaint = said.split('\n').findLast((line) => line.startsWith('error '));
  return complaint ?? lastLine(said);
}

/** Throws stack.start_failed, naming the log, where it ends before it is ready or is not ready in time. */
export async function startNodeChild(options: NodeChildOptions, spawned: OnSpawned): Promise<StartedChild> {
  const outcome = await attemptNodeChild(options, spawned);
  if (!outcome.started) throw outcome.error;
  return outcome.child;
}

/**
 * Starts the worker or the API, with descriptor 3 as the pipe to us, and waits for its line {"ready":true}, at most 60 s;
 * everything else it prints goes to its log. One that did not get ready is gone when this answers.
 */
export async function attemptNodeChild(
  { name, script, environment, logFile, endSteps }: NodeChildOptions,
  spawned: OnSpawned,
): Promise<StartAttempt> {
  const before = sizeOfLog(logFile);
  const log = openLog(logFile);
  const program = spawn(process.execPath, [script], {
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
  if (problem === undefined) return { started: true, child };
  await child.end(END_AT_ONCE);
  const said = tailOfLog(logFile, before);
  const error = new AppError(
    'stack.start_failed',
    `The ${name} did not start: ${problem} (${complaintIn(said)}). Log: ${logFile}`,
  );
  return { started: false, error, said };
}

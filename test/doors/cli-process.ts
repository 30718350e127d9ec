import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { environmentFor } from './stack-commands';
import { eventually } from '../support/eventually';

const program = path.resolve(__dirname, '../../bin/callsheet.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A real `callsheet` process in a home and a working directory of its own, and what it prints. */
export class CliProcess {
  private out = '';
  private err = '';
  readonly ended: Promise<Ended>;

  private constructor(readonly process: ChildProcess) {
    process.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString('utf8')));
    process.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString('utf8')));
    this.ended = new Promise((resolve) =>
      process.once('close', (code) => resolve({ code, out: this.out, err: this.err })),
    );
  }

  static async start(
    home: string,
    argv: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<CliProcess> {
    const env = { ...(await environmentFor(home)), NO_COLOR: '1', ...environment };
    return new CliProcess(
      spawn(process.execPath, [program, ...argv], { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  /** Waits until it has printed this; fails when it ends first. */
  async said(pattern: RegExp, withinMs = 120_000): Promise<void> {
    await eventually(
      `it prints ${String(pattern)}`,
      () => {
        if (pattern.test(this.out) || pattern.test(this.err)) return true;
        if (this.process.exitCode !== null)
          throw new Error(`It ended with ${this.process.exitCode} first:\n${this.out}\n${this.err}`);
        return false;
      },
      { withinMs },
    );
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }
}

/** Runs to the end. */
export async function callsheet(
  home: string,
  argv: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  return (await CliProcess.start(home, argv, environment)).ended;
}

/** Runs with --json; fails with what it printed where standard output is not one JSON value. */
export async function callsheetJson(
  home: string,
  argv: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ readonly code: number | null; readonly body: unknown }> {
  const { code, out, err } = await callsheet(home, [...argv, '--json'], environment);
  try {
    return { code, body: JSON.parse(out) as unknown };
  } catch (error) {
    throw new Error(`No JSON on standard output (exit ${code}):\n${out}\n${err}`, { cause: error });
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { childEnvironment } from '../../src/config';
import { eventually } from './eventually';

const repository = path.resolve(__dirname, '../..');
const WORKER = path.join(repository, 'dist/src/worker.js');

export interface RealWorkerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RealWorkerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Loaded before the worker (node --require). */
  readonly preload?: string;
  /** A program before node, with its arguments: faketime, unshare. */
  readonly wrapper?: readonly string[];
}

/** What the worker writes to its log, as far as tests look at it. */
export interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly step?: string;
  readonly [key: string]: unknown;
}

/** A real worker process of the compiled product. Whoever starts one ends it: `kill` in a `finally` or an `afterEach`. */
export class RealWorker {
  readonly log: LogLine[] = [];
  /** Whatever is no JSON: a stack, a warning of Node. */
  readonly said: string[] = [];
  /** When `ready` was read, by this process's monotonic clock, in ms. */
  readyAtMs: number | null = null;
  exit: RealWorkerExit | null = null;
  readonly exited: Promise<RealWorkerExit>;
  private readonly child: ChildProcess;

  constructor({ env, preload, wrapper = [] }: RealWorkerOptions) {
    const node = [process.execPath, ...(preload === undefined ? [] : ['--require', preload]), WORKER];
    const [program, ...args] = [...wrapper, ...node];
    this.child = spawn(program!, args, {
      cwd: repository,
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        this.exit = { code, signal };
        resolve(this.exit);
      });
      this.child.once('error', (error) => this.said.push(String(error)));
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      if (line === '{"ready":true}') this.readyAtMs = performance.now();
      else this.said.push(line);
    });
    createInterface({ input: this.child.stderr! }).on('line', (line) => this.read(line));
  }

  private read(line: string): void {
    try {
      this.log.push(JSON.parse(line) as LogLine);
    } catch {
      this.said.push(line); // not of the logger
    }
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`The worker did not start: ${this.said.join('\n')}`);
    return this.child.pid;
  }

  /** Resolves when it polls. Throws what it said where it ends before. */
  async ready(): Promise<this> {
    await eventually('the worker is ready', () => {
      if (this.exit) throw new Error(`the worker ended: ${JSON.stringify(this.exit)}\n${this.tail()}`);
      return this.readyAtMs !== null;
    });
    return this;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** kill -9, and waits until it is gone; nothing to do where it is. */
  async kill(): Promise<void> {
    if (this.exit === null && this.child.pid !== undefined) {
      this.child.kill('SIGKILL');
      await this.exited;
    }
  }

  /** Whether it has logged a line with this text in its message. */
  hasLogged(text: string | RegExp): LogLine | undefined {
    return this.log.find((line) => (typeof text === 'string' ? line.msg?.includes(text) : text.test(line.msg ?? '')));
  }

  tail(lines = 15): string {
    return [...this.said.slice(-lines), ...this.log.slice(-lines).map((line) => JSON.stringify(line))].join('\n');
  }
}

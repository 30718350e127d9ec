import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../../src/config';
import { eventually } from '../support/eventually';

const MAIN = path.resolve(__dirname, '../../dist/src/http/main.js');

/** A real API process of the compiled product, on a port of its own choice. Whoever starts one ends it. */
export class ApiProcess {
  readonly lines: string[] = [];
  code: number | null | undefined;
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.child = spawn(process.execPath, [MAIN], {
      env: childEnvironment({ CALLSHEET_API_PORT: '0', LOG_LEVEL: 'debug', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
    this.exited = new Promise((resolve) =>
      this.child.once('exit', (code) => {
        this.code = code;
        resolve(code);
      }),
    );
  }

  /** Its address, once it serves. Throws what it said where it ends before. */
  async url(): Promise<string> {
    return eventually('the API is ready', () => {
      if (this.code !== undefined) throw new Error(`the API ended with ${this.code}: ${this.said}`);
      return this.lines
        .map((line) => /"address":"(http:[^"]+)"/.exec(line)?.[1])
        .find((address) => address !== undefined);
    });
  }

  get said(): string {
    return this.lines.join('\n');
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.code === undefined) this.child.kill(signal);
    return this.exited;
  }
}

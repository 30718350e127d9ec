import { PassThrough } from 'node:stream';
import { createTerminal, type Streams, type Terminal } from '../../src/cli/terminal';

export interface TerminalDouble {
  readonly streams: Streams;
  readonly terminal: Terminal;
  /** Everything that was written, as it stands. */
  out(): string;
  err(): string;
}

/** Streams that keep what is written: a pipe, or a terminal of so many columns. */
export function terminalDouble(
  options: { readonly columns?: number; readonly rows?: number; readonly json?: boolean } = {},
): TerminalDouble {
  const stream = () => {
    const written: string[] = [];
    const pass = new PassThrough();
    pass.on('data', (chunk: Buffer) => written.push(chunk.toString('utf8')));
    const size =
      options.columns === undefined ? {} : { isTTY: true, columns: options.columns, rows: options.rows ?? 40 };
    return { stream: Object.assign(pass, size) as unknown as NodeJS.WriteStream, text: () => written.join('') };
  };
  const [stdout, stderr] = [stream(), stream()];
  const streams: Streams = { stdout: stdout.stream, stderr: stderr.stream };
  return { streams, terminal: createTerminal(streams, options.json ?? false), out: stdout.text, err: stderr.text };
}

import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

/** What a command prints to. Answers go to standard output; notes, hints and errors to standard error. */
export interface Terminal {
  /** Bodies as JSON instead of tables; standard output holds one JSON value and nothing else. */
  readonly json: boolean;
  /** Standard output is a terminal: bars, refreshing and colours are fine. */
  readonly interactive: boolean;
  readonly colours: Colours;
  /** Columns to fit into; Infinity where the output is no terminal, so that every row stays on its line. */
  columns(): number;
  rows(): number;
  /** A line of the answer; nothing with `--json`. */
  line(text?: string): void;
  /** A line beside the answer: what is being done, or what to do next. */
  note(text: string): void;
  /** The answer as JSON; only with `--json`. */
  body(value: unknown): void;
  /** Standard output itself, for bars. */
  readonly stream: NodeJS.WriteStream;
}

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** JSON leaves DEL, C1 and direction marks as they are; written as escapes they are the same value, and steer no terminal. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Colours only on a terminal and only where NO_COLOR does not forbid them (spec 50). */
export function createTerminal(streams: Streams, json: boolean): Terminal {
  const { stdout, stderr } = streams;
  const interactive = stdout.isTTY === true && !json;
  return {
    json,
    interactive,
    colours: pc.createColors(interactive && pc.isColorSupported),
    columns: () => (interactive ? Math.max(40, stdout.columns || 80) : Infinity),
    rows: () => (interactive ? stdout.rows || 24 : Infinity),
    line: (text = '') => {
      if (!json) stdout.write(`${text}\n`);
    },
    note: (text) => void stderr.write(`${text}\n`),
    body: (value) => {
      if (json) stdout.write(`${jsonText(value)}\n`);
    },
    stream: stdout,
  };
}

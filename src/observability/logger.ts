import { writeSync } from 'node:fs';
import pino, { type Logger } from 'pino';

export type { Logger };

const STANDARD_ERROR = 2;
/** What cannot be written is kept up to here, and written with the next line that can be; what goes beyond is dropped. */
const KEPT_BYTES = 1024 * 1024;

export interface LoggerOptions {
  readonly level: string;
  /** Which process speaks: worker, api, cli, … */
  readonly role: string;
  /** File to write to; standard error if absent. Written synchronously, so that a crash loses no line. */
  readonly file?: string;
}

/**
 * JSON lines. Secrets never get in: addresses with passwords and headers are redacted by key. A line that cannot be written (a full
 * disk) throws nothing into the work that wrote it; standard error says so, once.
 */
export function createLogger({ level, role, file }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['databaseUrl', '*.databaseUrl', 'apiKey', '*.apiKey', 'authorization', '*.authorization'],
        censor: '[hidden]',
      },
    },
    destinationOf(file),
  );
}

function destinationOf(file: string | undefined): ReturnType<typeof pino.destination> {
  const destination = pino.destination({
    dest: file ?? STANDARD_ERROR,
    sync: true,
    mkdir: true,
    maxLength: KEPT_BYTES,
  });
  let told = false;
  // Without a listener, pino throws it out of the call that logs.
  destination.on('error', (error: Error) => {
    if (!told) sayUnwritable(file ?? 'standard error', error);
    told = true;
  });
  // What `fatal` calls: on a full disk it tries for ever, and every line is written at once as it is.
  destination.flushSync = () => undefined;
  return destination;
}

function sayUnwritable(where: string, error: Error): void {
  try {
    writeSync(
      STANDARD_ERROR,
      `warning: the log at ${where} cannot be written: ${error.message}. Work goes on without it.\n`,
    );
  } catch {
    // Standard error is full as well: nobody is left to tell.
  }
}

import pino, { type Logger } from 'pino';

export type { Logger };

export interface LoggerOptions {
  readonly level: string;
  /** Which process speaks: worker, api, cli, … */
  readonly role: string;
  /** File to write to; standard error if absent. Written synchronously, so that a crash loses no line. */
  readonly file?: string;
}

/** JSON lines. Secrets never get in: addresses with passwords and headers are redacted by key. */
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
    pino.destination({ dest: file ?? 2, sync: true, mkdir: true }),
  );
}

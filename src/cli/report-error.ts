import type { ProblemBody } from '../bodies/problem';
import { AppError, ERRORS } from '../domain/errors';
import { EXIT, exitOfError } from './exit-codes';
import { plainLine } from './plain-text';
import { noteLines } from './table';
import type { Terminal } from './terminal';

/** A command line that cannot be understood: no code of the registry, exit 2, one line and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly next: string = 'callsheet COMMAND --help shows the form.',
  ) {
    super(message);
  }
}

/** Members that only some problems have, as under the same answer of the API. */
export type ProblemExtras = Pick<ProblemBody, 'decisions' | 'differences' | 'run' | 'lock'>;

/** RFC 9457's members for an error of the registry (spec 50). */
export function problemOf(error: AppError, extras: ProblemExtras = {}): ProblemBody {
  return {
    code: error.code,
    title: titleOf(error.code),
    status: error.statusCode,
    detail: error.message,
    next: error.next,
    ...extras,
  };
}

/** `step.already_running` → `Step already running`. */
function titleOf(code: string): string {
  const words = code.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Prints an error with its code and what to do next, and answers the exit code. A bug shows its stack. */
export function reportError(terminal: Terminal, thrown: unknown, extras: ProblemExtras = {}): number {
  if (thrown instanceof UsageError) {
    report(terminal, `error: ${thrown.message}`, thrown.next);
    terminal.body({
      code: 'input.invalid',
      title: 'Usage',
      status: 400,
      detail: thrown.message,
      next: thrown.next,
    } satisfies ProblemBody);
    return EXIT.usage;
  }
  const error = thrown instanceof AppError ? thrown : unexpected(thrown);
  report(terminal, `error ${error.code}: ${error.message}`, error.next);
  if (error.code === 'internal.unexpected' && error.cause instanceof Error && error.cause.stack)
    terminal.note(error.cause.stack);
  terminal.body(problemOf(error, extras));
  return exitOfError(error);
}

function report(terminal: Terminal, what: string, next: string): void {
  const { red, dim } = terminal.colours;
  for (const line of noteLines(terminal, { text: what, paint: red }, '')) terminal.note(line);
  for (const line of noteLines(terminal, { text: `next: ${next}`, paint: dim }, '')) terminal.note(line);
}

function unexpected(thrown: unknown): AppError {
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new AppError('internal.unexpected', plainLine(message), ERRORS['internal.unexpected'].status, {
    cause: thrown,
  });
}

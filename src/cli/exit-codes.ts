import type { AppError } from '../domain/errors';
import type { RunState } from '../domain/status';

/** Exit codes of every command (spec 50 "Command line"). */
export const EXIT = { done: 0, failed: 1, usage: 2, blocked: 3, cancelled: 4, partial: 5 } as const;

/** Shells' own convention for an end by Ctrl-C and by SIGTERM: 128 and the signal's number. Only where a person asked for it. */
export const EXIT_ON_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export function exitOfState(state: RunState): number {
  switch (state) {
    case 'done':
      return EXIT.done;
    case 'failed':
      return EXIT.failed;
    case 'blocked':
      return EXIT.blocked;
    case 'cancelled':
      return EXIT.cancelled;
    case 'partial':
      return EXIT.partial;
  }
}

/** What the person typed or named is at fault: the next try needs another command line or another file. */
const USAGE = /^(?:input|id|config|screenplay)\.|^step\.(?:unknown|item_unknown)$|^stack\.not_running$/;

/** 409 is blocked; what was typed is usage; everything else has failed. */
export function exitOfError(error: AppError): number {
  if (USAGE.test(error.code)) return EXIT.usage;
  return error.statusCode === 409 ? EXIT.blocked : EXIT.failed;
}

import { ERRORS, isErrorCode } from '../domain/errors';

/** What to do about a step's error message: messages carry their code (spec 20 "Errors"), the registry knows what is next. */
export function nextOfMessage(message: string): string | null {
  for (const [word] of message.matchAll(/[a-z0-9_]+\.[a-z_]+/g)) if (isErrorCode(word)) return ERRORS[word].next;
  return null;
}

import type { AskFailure } from '../domain/context-stages';
import { withoutNul } from '../store/decisions';

const CHARACTERS = 500;

/** What `last_failure` holds of a request that did not get through: the reason of the closed list, and what was seen. */
export function failureText(reason: AskFailure, detail: string, requestId: string): string {
  return storableReason(`${reason}: ${detail.replace(/\s+/g, ' ')} (request ${requestId})`);
}

/** A reason that PostgreSQL can hold, cut between characters (cases C07, C38). */
export function storableReason(reason: string): string {
  const characters = [...withoutNul(reason)];
  return characters.length > CHARACTERS ? `${characters.slice(0, CHARACTERS - 1).join('')}…` : characters.join('');
}

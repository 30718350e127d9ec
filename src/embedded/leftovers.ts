import type { ChildName, RecordedChild } from './children-file';
import {
  END_AT_ONCE,
  END_ORPHAN,
  END_ORPHAN_SOON,
  END_POSTGRES,
  END_TEMPORAL,
  endProcess,
  type EndStep,
} from './process-end';
import { isAlive } from './process-identity';

/** Worker and API first, while the database can still take what they hand back; PostgreSQL last. */
const ORDER: readonly (readonly ChildName[])[] = [['keeper'], ['worker', 'api'], ['temporal'], ['postgres']];

function stepsFor(name: ChildName, someoneWaits: boolean): readonly EndStep[] {
  switch (name) {
    case 'keeper':
      return END_AT_ONCE;
    case 'worker':
    case 'api':
      return someoneWaits ? END_ORPHAN_SOON : END_ORPHAN;
    case 'temporal':
      return END_TEMPORAL;
    case 'postgres':
      return END_POSTGRES;
  }
}

/**
 * Ends the processes that a killed stack left, in order. `someoneWaits`: a new stack starts when they are gone. Answers the
 * names of those that still lived.
 */
export async function endLeftovers(
  children: readonly RecordedChild[],
  someoneWaits: boolean,
): Promise<readonly ChildName[]> {
  const ended: ChildName[] = [];
  for (const names of ORDER) {
    const living = children.filter((child) => names.includes(child.name) && isAlive(child));
    ended.push(...living.map((child) => child.name));
    await Promise.all(living.map((child) => endProcess(child, stepsFor(child.name, someoneWaits))));
  }
  return ended;
}

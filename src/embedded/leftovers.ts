import type { ChildName, RecordedChild } from './children-file';
import { END_AT_ONCE, END_ORPHAN, END_POSTGRES, END_TEMPORAL, endProcess, type EndStep } from './process-end';
import { isAlive } from './process-identity';

/** Worker and API first, while the database can still take what they hand back; PostgreSQL last. */
const ORDER: readonly (readonly ChildName[])[] = [['keeper'], ['worker', 'api'], ['temporal'], ['postgres']];

const STEPS: Readonly<Record<ChildName, readonly EndStep[]>> = {
  keeper: END_AT_ONCE,
  worker: END_ORPHAN,
  api: END_ORPHAN,
  temporal: END_TEMPORAL,
  postgres: END_POSTGRES,
};

/** Ends the processes that a killed stack left, in order. Answers the names of those that still lived. */
export async function endLeftovers(children: readonly RecordedChild[]): Promise<readonly ChildName[]> {
  const ended: ChildName[] = [];
  for (const names of ORDER) {
    const living = children.filter((child) => names.includes(child.name) && isAlive(child));
    ended.push(...living.map((child) => child.name));
    await Promise.all(living.map((child) => endProcess(child, STEPS[child.name])));
  }
  return ended;
}

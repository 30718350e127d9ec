import type { LockHolder } from './file-lock';

/** For whose sake a stack lives: `up` keeps it until Ctrl-C, a run takes it with it at its end. */
export type StackKeeper = 'up' | 'run';

/** What the holder of a home's lock wants it for; `database`: PostgreSQL alone, to read or release. */
export type LockPurpose = StackKeeper | 'database';

/** For whose sake the stack of this lock's holder lives; undefined where it has none that others could join. */
export function keeperOf({ purpose }: LockHolder): StackKeeper | undefined {
  return purpose === 'up' || purpose === 'run' ? purpose : undefined;
}

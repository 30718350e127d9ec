import type { Command } from 'commander';
import type { Context } from '../context';

/** What a command is registered with: the context, and where its exit code goes. */
export interface Registration {
  readonly program: Command;
  readonly context: Context;
  /** Wraps an action so that its exit code becomes main's. */
  action<A extends unknown[]>(work: (...args: A) => Promise<number>): (...args: A) => Promise<void>;
}

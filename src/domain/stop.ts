/** Why work ends at a safe point before all is done (spec 15 "Cancel", spec 10 "The fence"). */
export type Stop =
  /** Someone asked: the step ends `cancelled`. */
  | { readonly why: 'cancelled' }
  /** The row is another's: write nothing. */
  | { readonly why: 'ownership_lost' }
  /** Shutdown, timed out, reset, paused: the row goes back to `pending`, and the next attempt claims at once. */
  | { readonly why: 'handed_back'; readonly cause: string }
  /** Among the calls of one step: another has halted or ended it, so none begins any more. Never the reason that the step ends with. */
  | { readonly why: 'no_more_calls' };

/** Asked between provider calls and once a second in a back-off; null: go on. */
export type SafePoint = () => Promise<Stop | null>;

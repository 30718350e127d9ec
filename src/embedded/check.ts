/** One thing that `callsheet doctor` looked at (spec 50 "Command line"). */
export interface Check {
  readonly name: string;
  readonly ok: boolean | 'warning';
  readonly detail: string;
  /** What to do, where it is not ok. */
  readonly next?: string;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the plain worker, its workflow and the bench share: a Temporal program without a ledger, for comparison. */
export const PLAIN_QUEUE = 'plain';
export const PLAIN_WORKFLOW = 'twoSteps';

export interface PlainInput {
  readonly items: number;
  readonly itemMs: number;
  readonly heartbeatTimeoutMs: number;
  /** Gets one line for each item that is begun. */
  readonly diary: string;
}

export interface PlainActivities {
  first(input: PlainInput): Promise<void>;
  second(input: PlainInput): Promise<void>;
}

/** What the main thread and the heartbeat's thread tell each other. Plain data only. */
export interface HeartbeatSettings {
  readonly databaseUrl: string;
  readonly bootId: string;
  readonly heartbeatMs: number;
  readonly stallMs: number;
  /** Counted up by the main thread once a second: its sign of life. */
  readonly aliveCounter: SharedArrayBuffer;
}

/** When a beat succeeded: by our clock, and by the database's. */
export interface BeatTimes {
  readonly atMs: number;
  readonly databaseMs: number;
}

export type ToThread =
  | { readonly kind: 'hold'; readonly runId: string }
  | { readonly kind: 'drop'; readonly runId: string }
  | { readonly kind: 'stop' };

export type FromThread =
  /** A beat succeeded. `unbrokenMs`: for how long beats have succeeded without a gap. */
  | (BeatTimes & {
      readonly kind: 'beat';
      readonly written: readonly string[];
      readonly lost: readonly string[];
      readonly unbrokenMs: number;
    })
  | { readonly kind: 'failed'; readonly message: string; readonly failures: number }
  /** The main thread shows no sign of life: no more beats until it does. */
  | { readonly kind: 'stalled'; readonly silentMs: number }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'stopped' };

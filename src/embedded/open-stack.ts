/** What a command stands on (spec 50 "Setting up"). */
export interface Stack {
  readonly databaseUrl: string;
  /** Absent where only the database was needed and none is running. */
  readonly temporalAddress: string | undefined;
  /** Absent where Temporal is not embedded. */
  readonly temporalUiUrl: string | undefined;
  readonly apiUrl: string | undefined;
  /** True: it belongs to another process. */
  readonly joined: boolean;
  /** Called once when a joined stack ends, or when a database kept open for reading is wanted by another command: open again. */
  onEnd(callback: () => void): void;
  /** Ends what this process started, in order. `atOnce` (a second Ctrl-C) waits for nobody; it also hastens a stop under way. */
  stop(options?: { readonly atOnce?: boolean }): Promise<void>;
}

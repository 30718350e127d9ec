export interface CallInFlight {
  readonly purchaseId: string;
  readonly stepId: string;
  readonly itemId: string;
  /** On the process's monotonic clock, when the purchase was opened. */
  readonly sinceMs: number;
}

/** The calls that this process waits for: proof, for its own eyes, whether an open purchase of its own may still be answered. */
export interface CallsInFlight {
  add(call: CallInFlight): void;
  remove(purchaseId: string): void;
  holds(purchaseId: string): boolean;
  list(): readonly CallInFlight[];
}

export function createCallsInFlight(): CallsInFlight {
  const calls = new Map<string, CallInFlight>();
  return {
    add: (call) => void calls.set(call.purchaseId, call),
    remove: (purchaseId) => void calls.delete(purchaseId),
    holds: (purchaseId) => calls.has(purchaseId),
    list: () => [...calls.values()],
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes the terminal's Ctrl-C on to us, who have had it already: two so close together are one. */
const SAME_WITHIN_MS = 500;

export interface EndSignalHandlers {
  /** The first signal: stop in order. */
  readonly first: (signal: NodeJS.Signals) => void;
  /** Each later one: stop at once. */
  readonly again: (signal: NodeJS.Signals) => void;
}

/** Listens for Ctrl-C, SIGTERM and SIGHUP. Answers how to stop listening. */
export function onEndSignals(
  { first, again }: EndSignalHandlers,
  nowMs: () => number = () => performance.now(),
): () => void {
  let lastMs: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    const previousMs = lastMs;
    lastMs = nowMs();
    if (previousMs === undefined) first(signal);
    else if (lastMs - previousMs > SAME_WITHIN_MS) again(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

import { createInterface } from 'node:readline';
import { parseChildren, type RecordedChild } from './children-file';
import { endLeftovers } from './leftovers';

/**
 * Entry: the keeper (spec 50 "Setting up"). Its standard input is the pipe to the stack's parent, which writes a line of JSON
 * with its living children at each change. When the pipe closes, the parent is gone, however: what is on the last line is
 * ended in order. In a session of its own and deaf to the terminal's signals, so that nothing ends it before its work.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

let children: readonly RecordedChild[] = [];
const lines = createInterface({ input: process.stdin });

lines.on('line', (line) => {
  try {
    children = parseChildren(JSON.parse(line));
  } catch {
    // A line that was cut off by the parent's death: the one before it holds.
  }
});
lines.on('close', () => {
  const others = children.filter((child) => child.name !== 'keeper');
  void endLeftovers(others, false).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});

'use strict';
/* A command that opens a stack and keeps it until a signal; each line of output is a JSON event for the test. */
const path = require('node:path');
const { readConfig } = require('../../dist/src/config.js');
const { onEndSignals } = require('../../dist/src/embedded/end-signals.js');
const { openStack } = require('../../dist/src/embedded/stack.js');

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

async function main() {
  const stack = await openStack({
    config: readConfig(),
    need: 'everything',
    say: (line) => tell({ said: line }),
    workerScript: path.join(__dirname, 'stack-worker.cjs'),
  });
  tell({ open: true, joined: stack.joined, databaseUrl: stack.databaseUrl });
  const keepAlive = setInterval(() => {}, 60_000);
  stack.onEnd(() => {
    tell({ joinedStackEnded: true });
    clearInterval(keepAlive);
  });
  onEndSignals({
    first: () =>
      void stack.stop().then(() => {
        tell({ stopped: true });
        process.exit(0);
      }),
    again: () => void stack.stop({ atOnce: true }),
  });
}

main().catch((error) => {
  tell({ error: error.code, message: error.message });
  process.exit(1);
});

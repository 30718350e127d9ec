'use strict';
/*
 * A command that opens a stack and keeps it until a signal; each line of output is a JSON event for the test. With the argument
 * `real-api` the API is the product's own; without it worker and API are the stand-in.
 */
const path = require('node:path');
const { readConfig } = require('../../dist/src/config.js');
const { onEndSignals } = require('../../dist/src/embedded/end-signals.js');
const { openStack } = require('../../dist/src/embedded/stack.js');

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
/* Tells a last event, and exits when it is out. */
const endWith = (code, event) => process.stdout.write(`${JSON.stringify(event)}\n`, () => process.exit(code));

const standIn = path.join(__dirname, 'stack-worker.cjs');
const asked = new AbortController();
let stack;

/* Before anything is told: the test may send its signal at the first word. */
onEndSignals({
  first: () => {
    asked.abort();
    void stack?.stop().then(() => endWith(0, { stopped: true }));
  },
  again: () => void stack?.stop({ atOnce: true }),
});

async function main() {
  stack = await openStack({
    config: readConfig(),
    need: 'everything',
    say: (line) => tell({ said: line }),
    signal: asked.signal,
    scripts: { worker: standIn, api: process.argv[2] === 'real-api' ? undefined : standIn },
  });
  const keepAlive = setInterval(() => {}, 60_000);
  stack.onEnd(() => {
    tell({ joinedStackEnded: true });
    clearInterval(keepAlive);
  });
  tell({ open: true, joined: stack.joined, databaseUrl: stack.databaseUrl });
}

main().catch((error) => {
  if (asked.signal.aborted && error === asked.signal.reason) endWith(130, { givenUp: true });
  else endWith(1, { error: error.code ?? 'crash', message: error.message });
});

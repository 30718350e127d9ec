'use strict';
/* What a process does on command. SIGUSR2: the main thread computes for CALLSHEET_TEST_BLOCK_MS, and hears and answers nothing. */
const { isMainThread } = require('node:worker_threads');

if (isMainThread)
  process.on('SIGUSR2', () => {
    const endMs = performance.now() + Number(process.env.CALLSHEET_TEST_BLOCK_MS);
    while (performance.now() < endMs);
    process.stdout.write('unblocked\n');
  });

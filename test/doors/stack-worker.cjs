'use strict';
/*
 * Instead of worker and API, in tests of the stack: says that it is ready, writes down how it ends, and works on nothing. Where
 * STACK_WORKER is `never ready`, the worker lives and does not say so.
 */
const fs = require('node:fs');
const path = require('node:path');
const { endWithParent, tellReady } = require('../../dist/src/embedded/parent-pipe.js');

/* Only the API is told a port. */
const name = process.env.CALLSHEET_API_PORT === undefined ? 'worker' : 'api';
const diary = path.join(process.env.CALLSHEET_HOME, `${name}-diary`);
const end = (why) => {
  fs.appendFileSync(diary, `${process.pid} ${why}\n`);
  process.exit(0);
};

process.on('SIGTERM', () => end('told to stop'));
endWithParent(Number(process.env.CALLSHEET_PARENT_FD), () => end('parent gone'));
fs.appendFileSync(diary, `${process.pid} started\n`);
if (name === 'api' || process.env.STACK_WORKER !== 'never ready') tellReady();
setInterval(() => {}, 60_000);

'use strict';
/* Instead of the worker, in tests of the stack: says that it is ready, writes down how it ends, and works on nothing. */
const fs = require('node:fs');
const path = require('node:path');
const { endWithParent, tellReady } = require('../../dist/src/embedded/parent-pipe.js');

const diary = path.join(process.env.CALLSHEET_HOME, 'worker-diary');
const end = (why) => {
  fs.appendFileSync(diary, `${process.pid} ${why}\n`);
  process.exit(0);
};

process.on('SIGTERM', () => end('told to stop'));
endWithParent(Number(process.env.CALLSHEET_PARENT_FD), () => end('parent gone'));
fs.appendFileSync(diary, `${process.pid} ready\n`);
tellReady();
setInterval(() => {}, 60_000);

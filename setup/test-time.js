'use strict';
/* `npm run test:time [-- jest's options]`: the tests that need a Temporal server which skips time. */
require('./node-version').requireNode();

const path = require('node:path');
const { prepareOrExit } = require('./prepare');
const { root } = require('./files');

async function test() {
  const say = (line) => process.stderr.write(`${line}\n`);
  await prepareOrExit(say);
  process.chdir(root);
  const server = require('./time-server').findTimeServer(say);
  if (server !== undefined) process.env.TEST_TIME_SERVER = server;
  process.env.NODE_ENV ??= 'test';
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  process.argv = [process.execPath, jest, '--config', path.join(root, 'jest.time.config.js'), ...process.argv.slice(2)];
  require(jest);
}

test().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

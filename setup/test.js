'use strict';
/* `npm test [-- jest's options]`: sets up where needed, then runs every test. */
require('./node-version').requireNode();

const path = require('node:path');
const { prepareOrExit } = require('./prepare');
const { root } = require('./files');
const { endWithNpm } = require('./npm-parent');

async function test() {
  endWithNpm();
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  process.chdir(root);
  // In this process, so that Ctrl-C and the exit code are jest's own.
  process.env.NODE_ENV ??= 'test';
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  process.argv = [process.execPath, jest, ...process.argv.slice(2)];
  require(jest);
}

test().catch((error) => {
  console.error(error);
  process.exit(1);
});

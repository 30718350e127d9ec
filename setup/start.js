'use strict';
/* `npm start [-- screenplay and options]`: sets up where needed, then runs the main job in this process. */
require('./node-version').requireNode();

const { prepareOrExit } = require('./prepare');
const { endWithNpm } = require('./npm-parent');

async function start() {
  endWithNpm();
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  const { main } = require('../dist/src/cli/main.js');
  process.exit(await main(['run', ...process.argv.slice(2)]));
}

start().catch((error) => {
  console.error(error);
  process.exit(1);
});

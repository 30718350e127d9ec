'use strict';
/* `npm start [-- screenplay and options]`: sets up where needed, then runs the main job in this process. */
require('./node-version').requireNode();

const { exitWhenRead } = require('./exit');
const { prepareOrExit } = require('./prepare');
const { endWithNpm } = require('./npm-parent');

/* Options that say nothing about which episode is meant, or what to do with it. */
const ASIDE = ['--json', '--detach'];

/** The example is named, so that it is run whatever other episodes there are. Anything else that is asked for is asked of `callsheet run`. */
function runArguments(given) {
  const { exampleScreenplay } = require('../dist/src/cli/run/example.js');
  return given.every((argument) => ASIDE.includes(argument)) ? [exampleScreenplay(), ...given] : given;
}

async function start() {
  endWithNpm();
  await prepareOrExit((line) => process.stderr.write(`${line}\n`));
  const { main } = require('../dist/src/cli/main.js');
  await exitWhenRead(await main(['run', ...runArguments(process.argv.slice(2))]));
}

start().catch((error) => {
  console.error(error);
  return exitWhenRead(1);
});

'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { root } = require('./files');
const { isInstalled, install } = require('./install');
const { hydratePostgres, linkCommand } = require('./hydrate');
const { withLock } = require('./lock');

/**
 * Everything between a bare clone and a runnable command: packages, links, compiled code, bundled workflows. Silent and
 * quick when there is nothing to do. Two at once in one folder wait for each other.
 */
async function prepare(say) {
  // A container image is complete, read-only and without the packages that a build needs.
  if (fs.existsSync(path.join(root, '.packaged'))) return;
  const onWait = (pid) => say(`Waiting for another set-up in this folder (process ${pid}) …`);
  if (!isInstalled())
    await withLock(path.join(root, '.callsheet-install.lock'), onWait, async () => {
      if (!isInstalled()) await install(say);
    });
  hydratePostgres();
  linkCommand();
  const { build, isBuilt } = require('./build');
  if (!isBuilt()) say('Compiling …');
  await build(onWait);
}

/** Prepares; a failure is one readable message and exit code 1, never a stack trace. */
async function prepareOrExit(say) {
  try {
    await prepare(say);
  } catch (error) {
    process.stderr.write(`Set-up failed: ${error.message}\n`);
    process.exit(1);
  }
}

module.exports = { prepareOrExit };

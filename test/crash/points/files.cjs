'use strict';
/* Every change of a file by a line of ours: through node:fs/promises, its file handles, and node:fs. */
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { between, siteNow } = require('./point.cjs');

const CHANGES = [
  'appendFile',
  'copyFile',
  'cp',
  'link',
  'mkdir',
  'mkdtemp',
  'rename',
  'rm',
  'rmdir',
  'symlink',
  'truncate',
  'unlink',
  'writeFile',
];
const HANDLE_CHANGES = ['appendFile', 'datasync', 'sync', 'truncate', 'write', 'writeFile', 'writev'];

function watched(kind, owner, name, label) {
  const original = owner[name];
  if (typeof original !== 'function') return;
  owner[name] = function (...args) {
    const site = siteNow();
    const run = () => original.apply(this, args);
    return site === null ? run() : between(kind, site, label, run);
  };
}

function watchFiles() {
  for (const name of CHANGES) {
    watched('file', promises, name, name);
    watched('file', fs, `${name}Sync`, name);
  }
  const open = promises.open;
  promises.open = async function (...args) {
    const flags = args[1] ?? 'r';
    const site = flags === 'r' ? null : siteNow();
    const run = () => open.apply(this, args);
    const handle = await (site === null ? run() : between('file', site, `open ${flags}`, run));
    for (const name of HANDLE_CHANGES) watched('file', handle, name, name);
    return handle;
  };
}

module.exports = { watchFiles };

'use strict';
const childProcess = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { root, readIfThere, readStamp, writeWhole } = require('./files');

const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.callsheet-install.json');

function wanted() {
  const lock = readIfThere(path.join(root, 'package-lock.json'));
  if (lock === null) throw new Error('package-lock.json is missing: this is not a whole clone of callsheet.');
  const lockHash = crypto.createHash('sha256').update(lock).digest('hex');
  return { lock, stamp: { lockHash, platform: `${process.platform}-${process.arch}` } };
}

/** Whether what npm says it installed is what the lock asks for: a hand-made `npm install` is as good as ours. */
function installedMatches(lockText) {
  const installed = readStamp(path.join(modules, '.package-lock.json'));
  if (!installed || !installed.packages) return false;
  return Object.entries(JSON.parse(lockText).packages).every(([name, entry]) => {
    if (name === '') return true;
    const there = installed.packages[name];
    if (there === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return there.version === entry.version && fs.existsSync(path.join(root, name));
  });
}

/** True where node_modules holds what package-lock.json asks for. Reads one small stamp when nothing changed. */
function isInstalled() {
  const { lock, stamp } = wanted();
  const present = readStamp(stampFile);
  if (present)
    return present.lockHash === stamp.lockHash && present.platform === stamp.platform
      ? true
      : present.platform === stamp.platform && adopt(lock, stamp);
  return fs.existsSync(modules) && adopt(lock, stamp);
}

function adopt(lock, stamp) {
  if (!installedMatches(lock)) return false;
  writeWhole(stampFile, JSON.stringify(stamp));
  return true;
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  const [command, all] = npm && /npm-cli\.js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  return new Promise((resolve, reject) => {
    const child = childProcess.spawn(command, all, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) =>
      reject(new Error(`npm could not be started (${error.message}). Install npm, or put it on PATH.`)),
    );
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const tail = output.trim().split('\n').slice(-15).join('\n  ');
      reject(
        new Error(
          `npm ${args[0]} ended with ${signal ?? `code ${code}`}:\n  ${tail}\nCheck the network or the registry (npm config get registry), then run the command again.`,
        ),
      );
    });
  });
}

/** `npm ci`, development packages included (the build needs them), without depending on install scripts. */
async function install(say) {
  const { stamp } = wanted();
  say('Installing packages (npm ci) …');
  const startedMs = Date.now();
  await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  writeWhole(stampFile, JSON.stringify(stamp));
  say(`Packages installed in ${Math.round((Date.now() - startedMs) / 1000)} s.`);
}

module.exports = { isInstalled, install };

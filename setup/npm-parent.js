'use strict';
const fs = require('node:fs');
const { startOf, isAlive } = require('./lock');

const POLL_MS = 1000;

function parentOf(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** npm itself: our parent, or the one above where npm's `sh -c` stands between (some shells replace themselves, some wait). */
function npmProcess() {
  try {
    const command = fs.readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8').split('\0');
    return command[1] === '-c' ? parentOf(process.ppid) : process.ppid;
  } catch {
    // No /proc on this system: the parent is all that can be watched.
    return process.ppid;
  }
}

/**
 * Under npm, ends this process (as by SIGTERM, so in order) when npm is gone: npm that is killed outright passes no signal
 * on, and what it started must not stay behind.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const pid = npmProcess();
  const npm = { pid, start: startOf(pid) };
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}

module.exports = { endWithNpm };

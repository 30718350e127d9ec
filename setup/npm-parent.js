'use strict';
const POLL_MS = 1000;

/**
 * Under npm, ends this process (as by SIGTERM, so in order) when npm is gone: npm that is killed outright passes no signal
 * on, and what it started must not stay behind. Nothing to do where a shell stands between, or without npm.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}

module.exports = { endWithNpm };

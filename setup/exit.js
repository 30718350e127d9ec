'use strict';

/**
 * Ends the process with this code, once what it has printed was taken or its reader is gone: a pipe takes 64 KiB, and what waits
 * beyond that is lost where a process exits at once.
 */
async function exitWhenRead(code) {
  await Promise.all([taken(process.stdout), taken(process.stderr)]);
  process.exit(code);
}

function taken(stream) {
  return new Promise((resolve) => {
    // EPIPE: nobody reads the rest. It stays, for a stream may say so more than once.
    stream.on('error', resolve);
    // Written after all that waits, whatever became of it.
    stream.write('', () => resolve());
  });
}

module.exports = { exitWhenRead };

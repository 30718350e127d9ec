'use strict';
/* A bug of the worker, on command: SIGUSR2 throws where nobody catches. */
process.on('SIGUSR2', () => {
  throw new Error('a bug on command');
});

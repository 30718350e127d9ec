'use strict';
/* SIGTERM comes while the first server of this process begins to listen, and is heard before that server listens. */
const { Server } = require('node:net');

const HEARD_WITHIN_MS = 500;
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  process.stdout.write('stopping\n');
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => listen.apply(this, args), HEARD_WITHIN_MS);
  return this;
};

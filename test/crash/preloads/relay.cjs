'use strict';
/*
 * In a network of its own a process reaches nobody. Here it reaches the test's servers all the same: under their own ports on its
 * own loopback, each through a socket file. CALLSHEET_TEST_RELAYS: JSON, [{ port, socket }].
 */
const net = require('node:net');
const { isMainThread } = require('node:worker_threads');

if (isMainThread)
  for (const { port, socket } of JSON.parse(process.env.CALLSHEET_TEST_RELAYS)) {
    const server = net.createServer((near) => {
      const far = net.connect(socket);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ]) {
        one.pipe(other);
        one.on('error', () => other.destroy()); // one side is gone: so is the other
        one.on('close', () => other.destroy());
      }
    });
    server.listen(port, '127.0.0.1');
    server.unref();
  }

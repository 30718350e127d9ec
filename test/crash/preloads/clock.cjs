'use strict';
/* A machine whose clock is wrong: ahead by CALLSHEET_TEST_CLOCK_MS, and from SIGUSR2 on behind by as much. In every thread. */
const { isMainThread } = require('node:worker_threads');

const RealDate = Date;
let offsetMs = Number(process.env.CALLSHEET_TEST_CLOCK_MS);
class WrongDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
}
globalThis.Date = WrongDate;

if (isMainThread)
  process.on('SIGUSR2', () => {
    offsetMs = -offsetMs;
    process.stdout.write('jumped\n');
  });

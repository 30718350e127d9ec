'use strict';
/* A point: where (the line of ours), what, before or after, and in which state. */
const fs = require('node:fs');
const path = require('node:path');
const { stateNow } = require('./state.cjs');

const settings = JSON.parse(process.env.CALLSHEET_CRASH_POINTS ?? '{}');
// By descriptor, which nobody watches: writing down a point is no point.
const record = settings.record ? fs.openSync(settings.record, 'a') : null;
const killLike = settings.killLike ? new RegExp(settings.killLike) : null;
const seen = new Set();
const sources = `${path.resolve(__dirname, '../../../src')}${path.sep}`;
/** Rooms through which everybody passes; who calls them is what names a point. */
const PASSAGES = ['db/'];
const FRAMES = 60;
/** file:///…/src/ledger/beat.ts:14:31 or /…/src/ledger/beat.ts:14:31, with source maps on. */
const PLACE = /\(?(?:file:\/\/)?([^\s()]+?):(\d+):\d+\)?$/;

/** The innermost line of ours on the stack, of the awaiting functions too; null: none of ours is there. */
function siteNow() {
  const holder = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, siteNow);
  Error.stackTraceLimit = limit;
  for (const frame of holder.stack.split('\n')) {
    const place = PLACE.exec(frame);
    if (!place || !place[1].startsWith(sources)) continue;
    const file = place[1].slice(sources.length).split(path.sep).join('/');
    if (!PASSAGES.some((passage) => file.startsWith(passage))) return `src/${file}:${place[2]}`;
  }
  return null;
}

/** Passes a point: it is written down, and it is the end of this process where that was asked for. */
function pass(kind, site, what, phase, state = stateNow()) {
  const name = `${site} | ${what} | ${phase} | ${state}`;
  if (seen.has(name)) return;
  seen.add(name);
  if (record !== null) fs.writeSync(record, `${JSON.stringify({ name, kind, site, what, phase, state })}\n`);
  if (settings.killAt !== name && !killLike?.test(name)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal has been sent to this very process: nothing after this line runs.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

/** Runs work between its two points; `after` is passed when it has come about, before anybody learns of it. */
function between(kind, site, what, work) {
  const state = stateNow();
  pass(kind, site, what, 'before', state);
  const done = work();
  if (typeof done?.then !== 'function') {
    pass(kind, site, what, 'after', state);
    return done;
  }
  return done.then((value) => {
    pass(kind, site, what, 'after', state);
    return value;
  });
}

module.exports = { siteNow, pass, between };

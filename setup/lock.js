'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { readStamp } = require('./files');

const POLL_MS = 200;

function startOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

function isAlive({ pid, start }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return startOf(pid) === start;
}

/** Puts the lock file there, whole, in one atomic act (a link fails where the name exists). */
function tryTake(file, mine) {
  const temporary = `${file}.${process.pid}.mine`;
  fs.writeFileSync(temporary, JSON.stringify(mine));
  try {
    fs.linkSync(temporary, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Only who holds the guard named after the dead holder removes that holder's lock, so a fresh lock is never removed. */
function removeDead(file, dead, mine) {
  const guard = `${file}.after-${dead.pid}-${dead.start}`;
  if (!tryTake(guard, mine)) {
    const guardHolder = readStamp(guard);
    if (guardHolder && !isAlive(guardHolder)) removeDead(guard, guardHolder, mine);
    return;
  }
  try {
    const now = readStamp(file);
    if (now && now.pid === dead.pid && now.start === dead.start) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}

/**
 * Runs `work` while no other process holds the same lock file; waits for a live holder, takes over from a dead one.
 * `onWait` is called once with the holder's pid.
 */
async function withLock(file, onWait, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const mine = { pid: process.pid, start: startOf(process.pid) };
  let told = false;
  while (!tryTake(file, mine)) {
    const holder = readStamp(file);
    if (holder && !isAlive(holder)) {
      removeDead(file, holder, mine);
      continue;
    }
    if (holder && !told) onWait(holder.pid);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

module.exports = { withLock, startOf, isAlive };

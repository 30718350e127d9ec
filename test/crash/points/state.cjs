'use strict';
/*
 * The state in which a point is passed, as far as the process knows it: the activity it works for, the status of that step's
 * row as it was last written, and what the purchase under way has come to.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const { isMainThread } = require('node:worker_threads');

/** { purchase } of the call under way. */
const buying = new AsyncLocalStorage();
/** Step id → the status last written to its row. */
const rows = new Map();
let activities;

function activityNow() {
  // Taken from the worker's own modules, and not before it has loaded them.
  activities ??= Object.values(require.cache).find((module) =>
    /@temporalio[\\/]activity[\\/]lib[\\/]index\.js$/.test(module?.filename ?? ''),
  );
  try {
    const { activityType, activityId } = activities.exports.Context.current().info;
    return { activityType, activityId };
  } catch {
    return null; // not in an activity
  }
}

function stateNow() {
  if (!isMainThread) return 'heartbeat';
  const activity = activityNow();
  if (!activity) return 'process';
  const { activityType, activityId } = activity;
  const parts = [/^\d+$/.test(activityId) ? activityType : `${activityType} ${activityId}`];
  const row = rows.get(stepOf(activityId));
  if (row) parts.push(`row ${row}`);
  const purchase = buying.getStore()?.purchase;
  if (purchase) parts.push(`purchase ${purchase}`);
  return parts.join(', ');
}

function stepOf(activityId) {
  return activityId.split('.')[0];
}

/** A statement has written the status of the row of the step that this activity works for. */
function wroteRow(status) {
  const activity = activityNow();
  if (activity) rows.set(stepOf(activity.activityId), status);
}

function wrotePurchase(status) {
  const call = buying.getStore();
  if (call) call.purchase = status;
}

/** Everything that `work` does belongs to one purchase, which does not exist yet. */
function whileBuying(work) {
  return buying.run({ purchase: 'none' }, work);
}

module.exports = { stateNow, wroteRow, wrotePurchase, whileBuying };

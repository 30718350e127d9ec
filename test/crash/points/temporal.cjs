'use strict';
/*
 * Calls to Temporal: those of the client, by method and line of ours, and what the SDK's core reports for us, by what stands in
 * the message (a task's token names its activity, a workflow task's answer the activities that it asks for).
 */
const grpc = require('@grpc/grpc-js');
const bridge = require('@temporalio/core-bridge');
const { between, pass, siteNow } = require('./point.cjs');
const { stateNow } = require('./state.cjs');

const REPORTS = {
  workerCompleteActivityTask: 'complete activity',
  workerCompleteWorkflowActivation: 'complete workflow task',
  workerRecordActivityHeartbeat: 'heartbeat of activity',
};

function watchTemporal() {
  watchClient();
  for (const [name, what] of Object.entries(REPORTS)) watchReport(name, what);
}

function watchClient() {
  const unary = grpc.Client.prototype.makeUnaryRequest;
  grpc.Client.prototype.makeUnaryRequest = function (method, ...args) {
    const site = siteNow();
    const last = args.length - 1;
    if (site === null || typeof args[last] !== 'function') return unary.call(this, method, ...args);
    const what = method.split('/').pop();
    const state = stateNow();
    pass('temporal', site, what, 'before', state);
    const answer = args[last];
    args[last] = (...result) => {
      pass('temporal', site, what, 'after', state);
      return answer(...result);
    };
    return unary.call(this, method, ...args);
  };
}

/**
 * Names of ours among the fields of a message, each once, in alphabetical order. A field begins after its length, a control
 * character for names this short; words inside of JSON and of sentences are left out.
 */
const NAME =
  /(?<=\p{Cc})(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?:\.(?:decide|refresh))?|(?:open|announce|run|refresh|close)(?:Run|Step)|recordCancel)(?![\w-])/gu;

function namesIn(buffer) {
  return [...new Set(buffer.toString('latin1').match(NAME) ?? [])].sort().join(' ');
}

function watchReport(name, what) {
  const original = bridge.native[name];
  bridge.native[name] = (worker, message) =>
    between('temporal', 'temporal sdk', `${what} ${namesIn(message)}`.trim(), () => original(worker, message));
}

module.exports = { watchTemporal };

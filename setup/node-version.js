'use strict';
/* Old syntax on purpose: an old Node.js must reach the message, not a SyntaxError. */
var LEAST = [20, 19];

/** What to tell the user where this Node.js is too old, else null. */
function nodeVersionComplaint(version) {
  var parts = version.replace(/^v/, '').split('.').map(Number);
  if (parts[0] > LEAST[0] || (parts[0] === LEAST[0] && parts[1] >= LEAST[1])) return null;
  return (
    'callsheet needs Node.js ' +
    LEAST.join('.') +
    ' or newer; this is ' +
    version +
    ' (' +
    process.execPath +
    '). Install a newer one, for example from https://nodejs.org, then run the command again.'
  );
}

/** Ends the process with one line where Node.js is too old. */
function requireNode() {
  var complaint = nodeVersionComplaint(process.version);
  if (complaint === null) return;
  process.stderr.write(complaint + '\n');
  process.exit(1);
}

module.exports = { nodeVersionComplaint: nodeVersionComplaint, requireNode: requireNode };

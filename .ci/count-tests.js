'use strict';
/**
 * Prints "PASSED FAILED" of a report that jest wrote with --json. A suite that could not run counts as one failure. Exits 1 where
 * there is no report, or where no test ran: a green run of nothing is not green.
 */
const fs = require('node:fs');

function countTests(report) {
  const brokenSuites = report.numRuntimeErrorTestSuites ?? 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenSuites };
}

function main([file]) {
  let report;
  try {
    report = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    process.stderr.write(`Jest left no report: ${error.message}\n`);
    return 1;
  }
  const { passed, failed } = countTests(report);
  if (passed + failed === 0) {
    process.stderr.write('No test ran.\n');
    return 1;
  }
  process.stdout.write(`${passed} ${failed}\n`);
  return 0;
}

module.exports = { countTests };
if (require.main === module) process.exitCode = main(process.argv.slice(2));

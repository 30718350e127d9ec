'use strict';
/** Prints a workflow's history as JSON: `node fetch-history.cjs ADDRESS WORKFLOW_ID RUN_ID`. */
const { Client, Connection } = require('@temporalio/client');
const { toJson } = require('./history-json.cjs');

async function main([address, workflowId, runId]) {
  const connection = await Connection.connect({ address });
  const history = await new Client({ connection }).workflow.getHandle(workflowId, runId).fetchHistory();
  process.stdout.write(JSON.stringify(toJson(history)));
  await connection.close();
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});

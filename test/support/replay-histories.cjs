'use strict';
/**
 * Replays every recorded history against a bundle: `node replay-histories.cjs BUNDLE FOLDER`. One JSON line for each:
 * `{ name, error }`, error null where it replays. In a process of its own, so that it can have another time zone and language.
 */
const fs = require('node:fs');
const path = require('node:path');
const { fromJson } = require('./history-json.cjs');
const { DefaultLogger, Runtime, Worker } = require('@temporalio/worker');

async function main([codePath, folder]) {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
  const recorded = fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')));
  for (const { name, workflowId, history } of recorded) {
    const results = Worker.runReplayHistories({ workflowBundle: { codePath } }, [
      { workflowId, history: fromJson(history) },
    ]);
    for await (const { error } of results)
      process.stdout.write(`${JSON.stringify({ name, error: error ? `${error.name}: ${error.message}` : null })}\n`);
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);

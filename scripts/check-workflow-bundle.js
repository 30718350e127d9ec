'use strict';
/**
 * Bundles the workflows anew, as a worker does that finds no bundle: the SDK refuses modules that a replay could not bear. Says
 * how big it is. Exits 1 if it cannot be bundled or holds no workflow.
 */
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const compiled = (name) => path.join(root, 'dist', 'src', 'workflows', name);

async function main() {
  const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
  if (!fs.existsSync(compiled('index.js')))
    throw new Error('dist/src/workflows/index.js is not there: npm run build first.');
  const warnings = [];
  const logger = new DefaultLogger('WARN', ({ level, message }) => warnings.push(`${level}: ${message}`));
  const interceptors = ['interceptors.js'].map(compiled).filter((file) => fs.existsSync(file));
  const { code } = await bundleWorkflowCode({
    workflowsPath: compiled('index.js'),
    workflowInterceptorModules: interceptors,
    logger,
  });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  if (!code.includes('runEpisode')) throw new Error('The bundle does not hold the workflow runEpisode.');
  process.stdout.write(`The workflows bundle to ${Math.round(code.length / 1024)} KiB.\n`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

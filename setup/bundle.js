'use strict';
/** Bundles the workflows once, at build time: a worker that had to do it at start would need seconds more. */
const childProcess = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { root, readStamp, writeWhole, hashFiles } = require('./files');

const entry = 'src/workflows/index.ts';
const interceptors = 'src/workflows/interceptors.ts';
const bundleFile = path.join(root, 'dist', 'workflow-bundle.js');
const stampFile = path.join(root, 'dist', '.workflow-bundle.json');

function entries() {
  return [entry, interceptors].filter((file) => fs.existsSync(path.join(root, file)));
}

/** The files of ours that the workflows import, found by following the imports. */
async function inputs() {
  const { metafile } = await require('esbuild').build({
    absWorkingDir: root,
    entryPoints: entries(),
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs).sort();
}

/** True where the bundle was looked at for the build that stands in dist. */
function isBundled() {
  if (!fs.existsSync(path.join(root, entry))) return true;
  const build = readStamp(path.join(root, 'dist', '.build.json'));
  return fs.existsSync(bundleFile) && readStamp(stampFile)?.build === build?.content;
}

/** Makes dist/workflow-bundle.js anew where its inputs changed; does nothing while there are no workflows. */
async function bundleWhereChanged() {
  if (isBundled()) return;
  const stamp = readStamp(stampFile);
  const build = readStamp(path.join(root, 'dist', '.build.json'));
  const hash = hashFiles([...(await inputs()), 'setup/bundle.js', 'package-lock.json']);
  if (!stamp || stamp.hash !== hash || !fs.existsSync(bundleFile)) await bundleInChild();
  writeWhole(stampFile, JSON.stringify({ hash, build: build?.content }));
}

/** In a process of its own, so that the command line does not load webpack and the SDK's native part. */
function bundleInChild() {
  return new Promise((resolve, reject) => {
    const child = childProcess.spawn(process.execPath, [__filename], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`Bundling the workflows ended with ${signal ?? `code ${code}`}:\n${output}`)),
    );
  });
}

async function bundle() {
  const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
  const compiled = (file) => path.join(root, 'dist', file.replace(/\.ts$/, '.js'));
  const [workflows, ...rest] = entries();
  const { code } = await bundleWorkflowCode({
    workflowsPath: compiled(workflows),
    workflowInterceptorModules: rest.map(compiled),
    logger: new DefaultLogger('WARN'),
  });
  writeWhole(bundleFile, code);
}

module.exports = { bundleWhereChanged, isBundled };
if (require.main === module)
  bundle().catch((error) => {
    console.error(error);
    process.exit(1);
  });

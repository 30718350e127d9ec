'use strict';
/** Compiles src and migrations into dist, one file for one file. Needs nothing but what `npm ci` brought. */
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { root, filesUnder, readIfThere, readStamp, writeWhole, hashFiles } = require('./files');
const { withLock } = require('./lock');
const { bundleWhereChanged, isBundled } = require('./bundle');

const stampFile = path.join(root, 'dist', '.build.json');
const lockFile = path.join(root, 'node_modules', '.callsheet-build.lock');

function sources() {
  return [...filesUnder('src', ['.ts']), ...filesUnder('migrations', ['.ts'])].filter(
    (name) => !name.endsWith('.d.ts'),
  );
}

/** Names, sizes and times of what goes into a build: cheap to compute, and equal only where nothing was touched. */
function signature() {
  const hash = crypto.createHash('sha256');
  for (const file of [...sources(), 'setup/build.js', 'package-lock.json']) {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function contentHash() {
  return hashFiles([...sources(), 'setup/build.js', 'package-lock.json']);
}

/** True where dist was made from the sources as they are now. */
function isBuilt() {
  const stamp = readStamp(stampFile);
  if (!stamp) return false;
  const now = signature();
  if (stamp.signature === now) return true;
  const content = contentHash();
  if (stamp.content !== content) return false;
  writeWhole(stampFile, JSON.stringify({ signature: now, content }));
  return true;
}

function prune(wanted) {
  for (const file of [...filesUnder('dist/src', ['']), ...filesUnder('dist/migrations', [''])])
    if (!wanted.has(file) && !file.endsWith('.new')) fs.rmSync(path.join(root, file), { force: true });
}

/** Writes what changed, file by file, then removes what no source has: a process that runs from dist is not disturbed. */
async function compile() {
  const esbuild = require('esbuild');
  const before = { signature: signature(), content: contentHash() };
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: sources(),
    outdir: 'dist',
    outbase: '.',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
    write: false,
  });
  const wanted = new Set();
  for (const file of result.outputFiles) {
    wanted.add(path.relative(root, file.path).split(path.sep).join('/'));
    if (readIfThere(file.path) !== file.text) writeWhole(file.path, file.text);
  }
  prune(wanted);
  writeWhole(stampFile, JSON.stringify(before));
}

/** Compiles where the sources changed; two at once in one folder wait for each other. */
async function build(onWait = () => {}) {
  if (isBuilt() && isBundled()) return;
  await withLock(lockFile, onWait, async () => {
    if (!isBuilt()) await compile();
    await bundleWhereChanged();
  });
}

module.exports = { build, isBuilt };
if (require.main === module)
  build().catch((error) => {
    console.error(error);
    process.exit(1);
  });

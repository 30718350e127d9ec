'use strict';
/** Compiles src and migrations into dist, one file for one file. Needs nothing but what `npm ci` brought. */
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');

function sources(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
}

async function build() {
  const esbuild = require('esbuild');
  fs.rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [...sources('src'), ...sources('migrations')],
    outdir: 'dist',
    outbase: '.',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
}

module.exports = { build };
if (require.main === module) build().catch((error) => { console.error(error); process.exit(1); });

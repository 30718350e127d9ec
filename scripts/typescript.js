'use strict';
/**
 * Lets Node require the TypeScript of bench/ and test/ (and of src, from there), compiled in memory, file by file, as esbuild
 * does it for dist. For programs that are no part of the product; what they start runs from dist.
 */
const fs = require('node:fs');
const { transformSync } = require('esbuild');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    platform: 'node',
    sourcefile: filename,
    sourcemap: 'inline',
  });
  module._compile(code, filename);
};
process.setSourceMapsEnabled(true);

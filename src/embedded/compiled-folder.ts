import path from 'node:path';

/** dist/src, also where this module runs from its source (in tests): what is started as a process must be compiled. */
export const COMPILED_SOURCES = __dirname.split(path.sep).includes('dist')
  ? path.resolve(__dirname, '..')
  : path.resolve(__dirname, '../../dist/src');

/** A program of this folder that is started as a process of its own. */
export function compiledEntry(name: 'keeper' | 'run-while-parent' | 'sdk-download'): string {
  return path.join(COMPILED_SOURCES, 'embedded', `${name}.js`);
}

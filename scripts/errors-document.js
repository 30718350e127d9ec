'use strict';
/**
 * Writes docs/errors.md from the error registry (`npm run docs`). test/contracts/errors.test.ts compares the two, so that a code
 * without its line here does not get in.
 */
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const documentPath = path.join(root, 'docs', 'errors.md');

/** Headings by the first part of a code. */
const AREAS = {
  step: 'A step, its row and its lock',
  run: 'A run',
  plan: 'A plan',
  t2i_review: 'The editor step',
  purchase: 'Purchases',
  budget: 'Budget',
  provider: 'Providers',
  db: 'PostgreSQL',
  temporal: 'Temporal',
  stack: 'The embedded stack',
  screenplay: 'The screenplay',
  input: 'Input',
  id: 'Ids',
  episode: 'Episodes',
  snapshot: 'Snapshots',
  shot: 'Shots',
  auth: 'Who may call the HTTP API',
  http: 'HTTP',
  request: 'Requests',
  config: 'Settings',
  context: 'Contexts and their AI work',
  artifact: 'Artifacts',
  internal: 'Bugs',
};

const introduction = `# Errors

Every error has a code from one closed list, \`src/domain/errors.ts\`. The command line prints \`error CODE: message\` and what
to do next; with \`--json\` it prints the same as a problem body. Codes are never reused.

*Status* is the HTTP status. *Retried* says whether Temporal gives the activity another attempt by itself, without limit, with
a back-off of at most a sweep period. \`step.already_running\` is retried only against an earlier attempt of the same activity,
which may be a slow survivor. An exception without a code is a bug: it is reported as \`internal.unexpected\`, and not retried.

This file is made from the registry by \`npm run docs\`; a test compares the two.
`;

/** The text of docs/errors.md. Throws for a code whose area has no heading yet. */
function errorsDocument(errors) {
  const sections = new Map();
  for (const [code, { status, retryable, next }] of Object.entries(errors)) {
    const heading = AREAS[code.slice(0, code.indexOf('.'))];
    if (heading === undefined) throw new Error(`Give the area of ${code} a heading in scripts/errors-document.js.`);
    const row = `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${next.replaceAll('|', '\\|')} |`;
    sections.set(heading, [...(sections.get(heading) ?? []), row]);
  }
  const tables = [...sections].map(
    ([heading, rows]) =>
      `\n## ${heading}\n\n| code | status | retried | what to do next |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`,
  );
  return introduction + tables.join('');
}

/** The registry, compiled in memory: it imports nothing. */
function readRegistry() {
  const source = fs.readFileSync(path.join(root, 'src', 'domain', 'errors.ts'), 'utf8');
  const { code } = require('esbuild').transformSync(source, { loader: 'ts', format: 'cjs' });
  const registry = { exports: {} };
  new Function('module', 'exports', code)(registry, registry.exports);
  return registry.exports.ERRORS;
}

module.exports = { errorsDocument, documentPath };
if (require.main === module) fs.writeFileSync(documentPath, errorsDocument(readRegistry()));

'use strict';
const {
  ROOMS,
  SQL_ROOMS,
  LEDGER_READERS,
  TRANSITION_ROOMS,
  VENDOR_SDKS,
  IMAGE_LIBRARIES,
  IMAGE_ROOMS,
} = require('./lint/rooms.cjs');

const literal = (text) => text.replaceAll('.', '[.]');
/** A pattern for the files of rooms: a folder's content, or exactly one file. */
const filesOf = (names) =>
  `^(${names
    .flatMap((name) => ROOMS[name].files)
    .map((file) => literal(file) + (file.endsWith('/') ? '' : '$'))
    .join('|')})`;
/** A pattern for npm packages, installed or not. */
const packages = (names) => `(^|/node_modules/|^node_modules/)(${names.map(literal).join('|')})(/|$)`;

/** Two rules for each room: what it may import at all, and what it may import only as a type. */
const roomRules = Object.entries(ROOMS).flatMap(([name, { imports, typesOf = [] }]) => [
  {
    name: `room-${name}`,
    comment: `${ROOMS[name].files[0]} may import of src only: ${[name, ...imports, ...typesOf].join(', ')} (docs/architecture.md).`,
    severity: 'error',
    from: { path: filesOf([name]) },
    to: { path: '^src/', pathNot: filesOf([name, ...imports, ...typesOf]) },
  },
  ...(typesOf.length === 0
    ? []
    : [
        {
          name: `room-${name}-types-only`,
          comment: `${ROOMS[name].files[0]} may import only types from: ${typesOf.join(', ')}.`,
          severity: 'error',
          from: { path: filesOf([name]) },
          to: { path: filesOf(typesOf), dependencyTypesNot: ['type-only'] },
        },
      ]),
]);

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Nor by types: a cycle has no first file to read.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'every-file-has-a-room',
      comment: 'A new folder of src needs a line in lint/rooms.cjs and in docs/architecture.md.',
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf(Object.keys(ROOMS)) },
      to: {},
    },
    ...roomRules,
    {
      name: 'domain-is-pure',
      comment:
        'No I/O, clock or environment, and safe inside the workflow sandbox: no built-in module, and of packages only canonical JSON.',
      severity: 'error',
      from: { path: filesOf(['domain']) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'domain-has-no-packages',
      comment: 'Canonical JSON is the one exception: it is pure.',
      severity: 'error',
      from: { path: filesOf(['domain']) },
      to: { path: 'node_modules', pathNot: packages(['json-canonicalize']) },
    },
    {
      name: 'workflows-are-sandboxed',
      comment: 'Workflow code replays: no built-in module, no package but the workflow API.',
      severity: 'error',
      from: { path: filesOf(['workflows']) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'workflows-use-only-the-workflow-api',
      severity: 'error',
      from: { path: filesOf(['workflows']) },
      to: { path: 'node_modules', pathNot: packages(['@temporalio/workflow', '@temporalio/common']) },
    },
    {
      name: 'sql-rooms',
      comment: `SQL is written in ${SQL_ROOMS.join(', ')} only.`,
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf(SQL_ROOMS) },
      to: { path: packages(['kysely', 'pg', '@types/pg']) },
    },
    {
      name: 'transitions',
      comment: `Only ${TRANSITION_ROOMS.join(', ')} move a step from one status to another.`,
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf(TRANSITION_ROOMS) },
      to: { path: filesOf(['ledger']), pathNot: LEDGER_READERS },
    },
    {
      name: 'vendor-sdks',
      comment: 'A vendor is behind the provider port.',
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf(['providers']) },
      to: { path: packages(VENDOR_SDKS) },
    },
    {
      name: 'image-libraries',
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf(IMAGE_ROOMS) },
      to: { path: packages(IMAGE_LIBRARIES) },
    },
    {
      name: 'core-knows-no-temporal',
      comment: 'Heartbeats and cancellation arrive as functions.',
      severity: 'error',
      from: {
        path: '^src/(domain|db|ledger|store|providers|images|pipeline|purchases|execution|runs|heartbeat|contexts|rescan|export|bodies)/',
      },
      to: { path: '(^|/)@temporalio/' },
    },
    {
      name: 'entry-points',
      comment: 'A program is started, not imported. The command line alone runs others in its own process.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/real-dependencies[.]ts$' },
      to: { path: '^src/(worker|cli/main|http/main|ai-service/main|embedded/keeper|heartbeat/thread)[.]ts$' },
    },
    {
      name: 'src-never-imports-tests',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^(test|bench|lint|setup)/' },
    },
    {
      name: 'no-development-packages',
      comment: 'What runs in production is in dependencies.',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A released migration must do the same for ever: it imports nothing that may change.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^src/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
    reporterOptions: { text: { highlightFocused: true } },
  },
};

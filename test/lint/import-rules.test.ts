import { plantTree, TOOL_LIMIT_MS, type PlantedTree } from './planted-tree';
import { plantRooms } from './room-plants';

interface Plant {
  readonly rule: string;
  /** `from → to` that the tool must report. */
  readonly broken: string;
  readonly files: Readonly<Record<string, string>>;
  /** The bystander: looks alike, and is allowed. */
  readonly lawful: Readonly<Record<string, string>>;
}

const use = (specifier: string) => `import * as used from '${specifier}';\nexport const user = used;\n`;

const plants: readonly Plant[] = [
  {
    rule: 'no-cycles',
    broken: 'src/domain/round-a.ts → src/domain/round-b.ts',
    files: {
      'src/domain/round-a.ts': "import type { B } from './round-b';\nexport type A = B;\n",
      'src/domain/round-b.ts': "import type { A } from './round-a';\nexport type B = A | null;\n",
    },
    lawful: { 'src/domain/straight.ts': "import type { Anchor } from './anchor';\nexport type C = Anchor;\n" },
  },
  {
    rule: 'resolvable',
    broken: 'src/domain/nowhere.ts → ./is-not-there',
    files: { 'src/domain/nowhere.ts': use('./is-not-there') },
    lawful: {},
  },
  {
    rule: 'every-file-has-a-room',
    broken: 'src/attic/stranger.ts → src/attic/box.ts',
    files: { 'src/attic/box.ts': 'export const box = 1;\n', 'src/attic/stranger.ts': use('./box') },
    lawful: {},
  },
  {
    rule: 'domain-is-pure',
    broken: 'src/domain/disk.ts → fs',
    files: { 'src/domain/disk.ts': use('node:fs') },
    lawful: { 'src/observability/disk.ts': use('node:fs') },
  },
  {
    rule: 'domain-has-no-packages',
    broken: 'src/domain/schema.ts → node_modules/zod/',
    files: { 'src/domain/schema.ts': use('zod') },
    lawful: { 'src/domain/canonical.ts': use('json-canonicalize'), 'src/bodies/schema.ts': use('zod') },
  },
  {
    rule: 'workflows-are-sandboxed',
    broken: 'src/workflows/disk.ts → fs',
    files: { 'src/workflows/disk.ts': use('node:fs') },
    lawful: {},
  },
  {
    rule: 'workflows-use-only-the-workflow-api',
    broken: 'src/workflows/server.ts → node_modules/@temporalio/client/',
    files: { 'src/workflows/server.ts': use('@temporalio/client') },
    lawful: { 'src/workflows/timer.ts': use('@temporalio/workflow') },
  },
  {
    rule: 'sql-rooms',
    broken: 'src/cli/query.ts → node_modules/kysely/',
    files: { 'src/cli/query.ts': use('kysely') },
    lawful: { 'src/store/query.ts': use('kysely') },
  },
  {
    rule: 'sql-rooms',
    broken: 'src/execution/socket.ts → node_modules/',
    files: { 'src/execution/socket.ts': use('pg') },
    lawful: { 'src/db/socket.ts': use('pg') },
  },
  {
    rule: 'transitions',
    broken: 'src/heartbeat/thief.ts → src/ledger/claim-row.ts',
    files: {
      'src/ledger/claim-row.ts': 'export const claim = 1;\n',
      'src/heartbeat/thief.ts': use('../ledger/claim-row'),
    },
    lawful: { 'src/execution/claim.ts': use('../ledger/claim-row') },
  },
  {
    rule: 'vendor-sdks',
    broken: 'src/execution/vendor.ts → openai',
    files: { 'src/execution/vendor.ts': use('openai') },
    lawful: {},
  },
  {
    rule: 'image-libraries',
    broken: 'src/store/camera.ts → node_modules/sharp/',
    files: { 'src/store/camera.ts': use('sharp') },
    lawful: { 'src/export/camera.ts': use('sharp') },
  },
  {
    rule: 'core-knows-no-temporal',
    broken: 'src/execution/context.ts → node_modules/@temporalio/activity/',
    files: { 'src/execution/context.ts': use('@temporalio/activity') },
    lawful: { 'src/activities/context.ts': use('@temporalio/activity') },
  },
  {
    rule: 'entry-points',
    broken: 'src/cli/commands/start.ts → src/worker.ts',
    files: { 'src/cli/commands/start.ts': use('../../worker') },
    lawful: { 'src/cli/real-dependencies.ts': use('../worker') },
  },
  {
    rule: 'src-never-imports-tests',
    broken: 'src/db/fixture.ts → test/fixture.ts',
    files: { 'test/fixture.ts': 'export const fixture = 1;\n', 'src/db/fixture.ts': use('../../test/fixture') },
    lawful: {},
  },
  {
    rule: 'no-development-packages',
    broken: 'src/observability/checker.ts → node_modules/typescript/',
    files: { 'src/observability/checker.ts': use('typescript') },
    lawful: {
      'src/observability/checked.ts': "import type ts from 'typescript';\nexport type Compiler = typeof ts;\n",
    },
  },
  {
    rule: 'migrations-stand-alone',
    broken: 'migrations/001_reader.ts → src/db/anchor.ts',
    files: { 'migrations/001_reader.ts': use('../src/db/anchor') },
    lawful: { 'migrations/002_alone.ts': use('kysely') },
  },
];

interface Report {
  readonly summary: {
    readonly violations: readonly { from: string; to: string; rule: { name: string; severity: string } }[];
  };
}

describe('import rules', () => {
  const rooms = plantRooms();
  let tree: PlantedTree;
  let exitCode: number;
  let found: readonly { rule: string; from: string; edge: string }[];

  beforeAll(async () => {
    const files = new Map(rooms.files);
    for (const plant of plants)
      for (const [name, text] of Object.entries({ ...plant.files, ...plant.lawful })) files.set(name, text);
    tree = await plantTree(files, ['.dependency-cruiser.cjs']);
    const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'migrations'];
    exitCode = (await tree.run('dependency-cruiser/bin/dependency-cruise.mjs', args.with(3, 'err'))).code;
    const { stdout } = await tree.run('dependency-cruiser/bin/dependency-cruise.mjs', args);
    found = (JSON.parse(stdout) as Report).summary.violations
      .filter((violation) => violation.rule.severity === 'error')
      .map(({ rule, from, to }) => ({
        rule: rule.name,
        from,
        edge: `${from} → ${to.replace(/^.*(?=node_modules\/)/, '')}`,
      }));
  }, TOOL_LIMIT_MS);
  afterAll(() => tree.remove());

  it('end the check with a failure', () => {
    expect(exitCode).not.toBe(0);
  });

  it.each(plants.map((plant) => [plant.rule, plant.broken]))('%s finds %s', (rule, edge) => {
    expect(found.filter((one) => one.rule === rule).map((one) => one.edge)).toContainEqual(
      expect.stringContaining(edge),
    );
  });

  it.each([...rooms.expected])('%s finds %s', (rule, edge) => {
    expect(found.filter((one) => one.rule === rule).map((one) => one.edge)).toContain(edge);
  });

  it('leave the lawful neighbours alone', () => {
    const lawful = [...rooms.lawful, ...plants.flatMap((plant) => Object.keys(plant.lawful))];
    expect(found.filter((one) => lawful.includes(one.from))).toEqual([]);
  });

  it('are all tried here, so that a rule which catches nothing cannot be added', () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { forbidden } = require('../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
    const tried = new Set([...rooms.expected.keys(), ...plants.map((plant) => plant.rule)]);
    expect(forbidden.map((rule) => rule.name).filter((name) => !tried.has(name))).toEqual([]);
  });
});

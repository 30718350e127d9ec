import fs from 'node:fs/promises';
import path from 'node:path';
import { plantTree, TOOL_LIMIT_MS, type PlantedTree } from './planted-tree';

interface Plant {
  readonly rule: string;
  readonly file: string;
  readonly text: string;
}

const send = (receiver: string) =>
  `import type { Provider, ProviderRequest, SendOptions } from '../providers/port';\n` +
  `export const pay = (provider: Provider, r: ProviderRequest, o: SendOptions) => ${receiver};\n`;
const sleep = 'export const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 50));\n';

/** Each breaks one rule. */
const plants: readonly Plant[] = [
  // The environment has one reader.
  { rule: 'no-restricted-syntax', file: 'src/cli/home.ts', text: 'export const home = process.env.HOME;\n' },
  { rule: 'no-restricted-syntax', file: 'src/cli/all.ts', text: 'const { env } = process;\nexport const all = env;\n' },
  {
    rule: 'no-restricted-syntax',
    file: 'src/cli/named.ts',
    text: "import { env } from 'node:process';\nexport const all = env;\n",
  },
  { rule: 'no-restricted-syntax', file: 'src/domain/home.ts', text: 'export const home = process.env.HOME;\n' },
  // The database's clock is the clock.
  { rule: 'no-restricted-syntax', file: 'src/domain/now.ts', text: 'export const now = () => Date.now();\n' },
  { rule: 'no-restricted-syntax', file: 'src/ledger/now.ts', text: 'export const now = () => new Date();\n' },
  { rule: 'no-restricted-syntax', file: 'src/ledger/text.ts', text: 'export const now = () => Date();\n' },
  { rule: 'no-restricted-syntax', file: 'src/ledger/timer.ts', text: 'export const now = () => performance.now();\n' },
  { rule: 'no-restricted-syntax', file: 'src/domain/dice.ts', text: 'export const dice = () => Math.random();\n' },
  { rule: 'no-restricted-syntax', file: 'src/ledger/token.ts', text: "export { randomUUID } from 'node:crypto';\n" },
  // No code path runs a step without the claim, scripts, tests and benchmarks included.
  {
    rule: 'no-restricted-syntax',
    file: 'src/execution/shortcut.ts',
    text: "import { runCalls } from './run-calls';\nexport const go = () => runCalls();\n",
  },
  {
    rule: 'no-restricted-syntax',
    file: 'src/activities/alias.ts',
    text: "export { runCalls as other } from '../execution/run-calls';\n",
  },
  {
    rule: 'no-restricted-syntax',
    file: 'src/cli/index.ts',
    text: "import * as execution from '../execution/run-calls';\nexport const go = execution['runCalls'];\n",
  },
  {
    rule: 'no-restricted-syntax',
    file: 'bench/fast.ts',
    text: "import { runCalls } from '../src/execution/run-calls';\nexport const go = () => runCalls();\n",
  },
  {
    rule: 'no-restricted-syntax',
    file: 'test/fast.ts',
    text: "import { runCalls } from '../src/execution/run-calls';\nexport const go = () => runCalls();\n",
  },
  {
    rule: 'no-restricted-syntax',
    file: 'setup/fast.js',
    text: "'use strict';\nrequire('../dist/src/execution/run-calls').runCalls();\n",
  },
  // Only buy calls a provider.
  { rule: 'callsheet/provider-send', file: 'src/execution/pay.ts', text: send('provider.send(r, o)') },
  { rule: 'callsheet/provider-send', file: 'src/execution/pay-quietly.ts', text: send("provider['send'](r, o)") },
  {
    rule: 'callsheet/provider-send',
    file: 'src/operations/pay.ts',
    text: send('provider').replace(
      '=> provider',
      '=> {\n  const { send: go } = { ...provider };\n  return go(r, o);\n}',
    ),
  },
  {
    rule: 'callsheet/provider-send',
    file: 'src/providers/wrapper.ts',
    text: "import type { Provider, ProviderRequest, SendOptions } from './port';\nexport class Vendor implements Provider {\n  readonly name = 'vendor';\n  readonly honoursIdempotencyKey = true;\n  readonly limits = { concurrentCalls: 1, callsPerMinute: 1 };\n  estimateUsd = () => 0;\n  send = () => Promise.resolve({ outcome: 'account' as const, message: '' });\n}\nexport const pay = (vendor: Vendor, _r: ProviderRequest, _o: SendOptions) => vendor.send();\n",
  },
  // Plain care.
  {
    rule: '@typescript-eslint/no-floating-promises',
    file: 'src/operations/forgets.ts',
    text: 'export const go = (work: () => Promise<void>) => {\n  work();\n};\n',
  },
  {
    rule: '@typescript-eslint/no-misused-promises',
    file: 'src/operations/misuses.ts',
    text: 'export const go = (list: number[], work: () => Promise<void>) => list.forEach(async () => work());\n',
  },
  {
    rule: '@typescript-eslint/consistent-type-imports',
    file: 'src/operations/imports.ts',
    text: "import { Json } from '../domain/json';\nexport const nothing: Json = null;\n",
  },
  {
    rule: '@typescript-eslint/no-explicit-any',
    file: 'src/operations/any.ts',
    text: 'export const size = (value: any[]) => value.length;\n',
  },
  {
    rule: '@typescript-eslint/switch-exhaustiveness-check',
    file: 'src/operations/switches.ts',
    text: "export function word(state: 'on' | 'off'): string {\n  switch (state) {\n    case 'on':\n      return 'On';\n  }\n  return '';\n}\n",
  },
  { rule: 'no-restricted-syntax', file: 'src/operations/default.ts', text: 'export default 1;\n' },
  {
    rule: 'no-restricted-syntax',
    file: 'src/operations/as-default.ts',
    text: 'const one = 1;\nexport { one as default };\n',
  },
  {
    rule: 'no-empty',
    file: 'src/operations/swallows.ts',
    text: 'export function go(work: () => void): void {\n  try {\n    work();\n  } catch {}\n}\n',
  },
  {
    rule: 'max-lines',
    file: 'src/operations/long.ts',
    text: Array.from({ length: 301 }, (_, i) => `export const n${i} = ${i};\n`).join(''),
  },
  // Tests wait for what they mean.
  { rule: 'no-restricted-syntax', file: 'test/unit/sleeps.ts', text: sleep },
  {
    rule: 'no-restricted-syntax',
    file: 'test/unit/naps.ts',
    text: "export { setTimeout as nap } from 'node:timers/promises';\n",
  },
];

/** Look alike, and break no rule. */
const lawful: Readonly<Record<string, string>> = {
  'src/config.ts': 'export const home = process.env.HOME;\n',
  'src/domain/parse.ts':
    "export const parsed = new Date('2026-03-25T04:12:11Z');\nexport const month = Date.UTC(2026, 2);\n",
  'src/heartbeat/now.ts': 'export const now = () => performance.now();\n',
  'src/execution/run-calls.ts': 'export const runCalls = () => 1;\n',
  'src/execution/execute-and-finalize.ts':
    "import { runCalls } from './run-calls';\nexport const go = () => runCalls();\n",
  'src/purchases/buy.ts': send('provider.send(r, o)'),
  'src/cli/parent.ts': "export const tell = () => process.send?.('ready');\n",
  'src/operations/awaits.ts': 'export const go = async (work: () => Promise<void>) => {\n  await work();\n};\n',
  'src/operations/exactly-300.ts': Array.from({ length: 300 }, (_, i) => `export const n${i} = ${i};\n`).join(''),
  'test/support/sleeps.ts': sleep,
};

interface FileReport {
  readonly filePath: string;
  readonly messages: readonly { ruleId: string | null; message: string; severity: number }[];
}

describe('source rules', () => {
  let tree: PlantedTree;
  let exitCode: number;
  let found: ReadonlyMap<string, readonly (string | null)[]>;

  beforeAll(async () => {
    const files = new Map<string, string>(Object.entries(lawful));
    for (const name of ['src/providers/port.ts', 'src/domain/json.ts'])
      files.set(name, await fs.readFile(path.resolve(__dirname, '../..', name), 'utf8'));
    for (const plant of plants) files.set(plant.file, plant.text);
    tree = await plantTree(files, ['eslint.config.mjs']);
    const { code, stdout, stderr } = await tree.run('eslint/bin/eslint.js', ['--format', 'json', '.']);
    exitCode = code;
    if (!stdout.startsWith('[')) throw new Error(`ESLint did not report: ${stderr || stdout}`);
    found = new Map(
      (JSON.parse(stdout) as FileReport[]).map((report) => [
        report.filePath.slice(report.filePath.lastIndexOf('callsheet-planted-')).split(path.sep).slice(1).join('/'),
        report.messages.map((message) => message.ruleId ?? message.message),
      ]),
    );
  }, TOOL_LIMIT_MS);
  afterAll(() => tree.remove());

  it('end the check with a failure', () => {
    expect(exitCode).toBe(1);
  });

  it.each(plants.map((plant) => [plant.rule, plant.file] as const))(
    '%s finds %s, and no unrelated rule does',
    (rule, file) => {
      expect([...new Set(found.get(file))]).toEqual([rule]);
    },
  );

  it.each(Object.keys(lawful))('leave %s alone', (file) => {
    expect(found.get(file)).toEqual([]);
  });
});

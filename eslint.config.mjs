import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { providerSend } from './lint/provider-send.mjs';
import { clockAndRandom, defaultExport, environment, runWithoutClaim, sleeping } from './lint/restrictions.mjs';

const named = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));
const nodeModule = named(
  'process',
  'console',
  'Buffer',
  'URL',
  'AbortSignal',
  'AbortController',
  'fetch',
  'performance',
  'structuredClone',
);
const timers = named('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask');
const commonjs = named('require', 'module', 'exports', '__dirname', '__filename');

const typescript = ['src/**/*.ts', 'migrations/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'];

/** `no-restricted-syntax` for a set of files; the last entry that matches a file counts as a whole. */
const forbid = (files, lists, ignores = []) => ({
  files,
  ignores,
  rules: { 'no-restricted-syntax': ['error', ...lists.flat()] },
});

export default defineConfig(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.callsheet/', '.callsheet-*/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,

  {
    files: typescript,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { callsheet: { rules: { 'provider-send': providerSend } } },
    rules: {
      'callsheet/provider-send': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      // Interfaces here are made by functions, not classes: taking a method from one is safe, and the rule cannot tell.
      '@typescript-eslint/unbound-method': 'off',
      // An async method makes a throw a rejection, whether it waits or not; interfaces ask for it.
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', { max: 300 }],
      eqeqeq: 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    // An owner's promise that nobody waits for is how a lock outlives its holder; tests wait for theirs as well.
    files: ['test/**/*.ts'],
    rules: {
      // Answers of the product's own doors are read as loose JSON in many tests.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      // expect.objectContaining and its kind are `any`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      // Adapters are tried one by one; the product itself may not do this.
      'callsheet/provider-send': 'off',
    },
  },
  { files: ['src/purchases/**/*.ts'], rules: { 'callsheet/provider-send': 'off' } },

  // What a room may not say. Order matters: the last match counts.
  forbid(['src/**/*.ts', 'migrations/**/*.ts', 'bench/**/*.ts'], [environment, defaultExport, runWithoutClaim]),
  forbid(['src/domain/**/*.ts', 'src/ledger/**/*.ts'], [environment, defaultExport, runWithoutClaim, clockAndRandom]),
  forbid(['src/config.ts'], [defaultExport, runWithoutClaim]),
  forbid(['src/execution/run-calls.ts', 'src/execution/execute-and-finalize.ts'], [environment, defaultExport]),
  forbid(['test/**/*.ts'], [defaultExport, runWithoutClaim, sleeping]),
  forbid(['test/support/**/*.ts'], [defaultExport, runWithoutClaim]),
  // Jest takes the default export of these.
  forbid(['test/support/*-setup.ts', 'test/support/*-teardown.ts'], [runWithoutClaim]),

  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { ...nodeModule, ...timers, ...commonjs } },
    rules: { 'no-restricted-syntax': ['error', ...runWithoutClaim] },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: { ...nodeModule, ...timers } } },
);

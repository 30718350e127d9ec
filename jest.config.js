'use strict';

/**
 * Three projects, by what a test needs. Jest runs a project's set-up only if one of its tests runs, so that `npx jest test/unit`
 * needs no server at all.
 */

/** Compiled file by file, as esbuild does it for dist; types are checked by `npm run types`. */
const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs', ignoreDynamic: true },
      sourceMaps: 'inline',
    },
  ],
};

const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform,
  // Built files and the homes of embedded stacks hold copies of package.json and of modules.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/\\.callsheet'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/\\.callsheet'],
  setupFiles: ['<rootDir>/test/support/errors-across-realms.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/time-limit.ts'],
};

module.exports = {
  rootDir: __dirname,
  maxWorkers: 2,
  projects: [
    {
      ...shared,
      displayName: 'pure',
      testMatch: ['<rootDir>/test/{unit,lint}/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'postgres',
      testMatch: ['<rootDir>/test/{postgres,contracts}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/postgres-setup.ts',
      globalTeardown: '<rootDir>/test/support/postgres-teardown.ts',
    },
    {
      ...shared,
      displayName: 'temporal',
      testMatch: ['<rootDir>/test/{workflows,doors,crash,replay}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/temporal-setup.ts',
      globalTeardown: '<rootDir>/test/support/temporal-teardown.ts',
    },
  ],
};

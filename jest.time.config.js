'use strict';

const { projects } = require('./jest.config');

/** `npm run test:time`: apart from the others, since it needs a server of another kind and no database. */
const pure = projects.find((project) => project.displayName === 'pure');

module.exports = { ...pure, displayName: 'time', maxWorkers: 1, testMatch: ['<rootDir>/test/time/**/*.test.ts'] };

'use strict';

/** `npm run histories`: records the histories anew, with the servers of the `temporal` project. Not a test. */
const { projects } = require('../../jest.config.js');

const temporal = projects.find((project) => project.displayName === 'temporal');

module.exports = {
  ...temporal,
  displayName: 'histories',
  testMatch: ['<rootDir>/test/replay/histories.record.ts'],
};

/** Drills that take longer than a change can wait: before a release, and every night. */
const { projects, ...config } = require('./jest.config.js');

const e2e = projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...config,
  // Some take hours.
  testTimeout: 12 * 3_600_000,
  projects: [{ ...e2e, displayName: 'long', testMatch: ['<rootDir>/test/long/**/*.spec.ts'] }],
};

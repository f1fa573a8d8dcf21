/**
 * Tests that take too long for every change run every night and before a release. Each project of jest.config.js has a
 * folder of such tests in test/long.
 */
const { projects, ...config } = require('./jest.config.js');

/** Random tests run at full size here (see test/support/full-size.ts), but short in `npm test`. */
process.env.FULL_SIZE = '1';
const FULL_SIZE = {
  unit: ['libs/connectors/src/sources/*/*.spec.ts', 'test/simulated/*.spec.ts'],
  medium: [
    'test/medium/api/{hostile,random-searches,walks}.spec.ts',
    'test/medium/gate/*.spec.ts',
    'test/medium/exports/export-faults.spec.ts',
    'test/medium/leads/leads.spec.ts',
  ],
};

module.exports = {
  ...config,
  // Some take hours.
  testTimeout: 12 * 3_600_000,
  projects: projects.map((project) => ({
    ...project,
    testMatch: [`test/long/${project.displayName}/**/*.spec.ts`, ...(FULL_SIZE[project.displayName] ?? [])].map(
      (spec) => `<rootDir>/${spec}`,
    ),
  })),
};

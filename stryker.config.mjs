import jest from './jest.config.js';

const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

/**
 * Mutates the code that decides who may read which listings, and checks that unit tests fail. Too slow for `npm test`.
 */
export default {
  mutate: [
    'apps/api/src/access/gateway-access.ts',
    'apps/api/src/access/gateway-cache.ts',
    'apps/ingestor/src/ingest/arrange-rows.ts',
    'apps/ingestor/src/ingest/feed-order.ts',
    'apps/ingestor/src/ingest/run-watch.ts',
    'apps/ingestor/src/ingest/snapshot-assembly.ts',
    'libs/domain/src/access/api-key.ts',
    'libs/domain/src/access/key-hashes.ts',
    'libs/domain/src/gateway/gateway.ts',
    'libs/domain/src/listing/fill.ts',
    'libs/domain/src/run/publish-gate.ts',
    'libs/domain/src/snapshot/freshness.ts',
  ],
  testRunner: 'jest',
  coverageAnalysis: 'perTest',
  jest: {
    config: {
      ...unit,
      // Without this, Jest would run every project, and other projects need services.
      projects: [],
      // Only the specs of the mutated files: nearly every other spec imports these files too, but does not test them.
      testMatch: [
        '<rootDir>/apps/api/src/access/*.spec.ts',
        '<rootDir>/apps/ingestor/src/ingest/*.spec.ts',
        '<rootDir>/libs/domain/src/{access,gateway,listing,run,snapshot}/*.spec.ts',
      ],
    },
    enableFindRelatedTests: false,
  },
  concurrency: 1,
  // A folder that git, Jest and the linters already ignore.
  tempDirName: '.data/mutation',
  ignorePatterns: [
    'dist',
    'docs',
    'test/{architecture,bench,e2e,medium,wordpress}',
    'tools',
    'ops',
    'libs/connectors/src/sources',
  ],
  allowEmpty: false,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
  thresholds: { high: 95, low: 85, break: 85 },
};

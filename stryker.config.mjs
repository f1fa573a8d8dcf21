import jest from './jest.config.js';

const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

/** Mutates what decides who reads what, and proves that the unit tests notice. Too slow for `npm test`. */
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
      // Jest would run each of them, with what it needs.
      projects: [],
      // Nearly every other spec imports these files, too, and says nothing about them.
      testMatch: [
        '<rootDir>/apps/api/src/access/*.spec.ts',
        '<rootDir>/apps/ingestor/src/ingest/*.spec.ts',
        '<rootDir>/libs/domain/src/{access,gateway,listing,run,snapshot}/*.spec.ts',
      ],
    },
    enableFindRelatedTests: false,
  },
  concurrency: 1,
  // Git, Jest and the linters ignore this folder already.
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

/** The dependency rules of ARCHITECTURE.md, as sentences that fail the build. */
module.exports = {
  forbidden: [
    { name: 'no-import-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-depends-on-nothing',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: { pathNot: '^(libs/domain|test/support)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'domain-reads-no-files-and-opens-no-connections',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(fs|net|http|https|tls|dns|child_process|worker_threads|os)(/|$)', dependencyTypes: ['core'] },
    },
    {
      name: 'libs-do-not-know-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|tools|test)/', pathNot: '^test/support/' },
    },
    {
      name: 'database-queue-connectors-and-media-do-not-know-each-other',
      severity: 'error',
      from: { path: '^libs/(database|queue|connectors|media|traces|limits)/' },
      to: { path: '^libs/(database|queue|connectors|media|traces|limits)/', pathNot: '^libs/$1/' },
    },
    {
      name: 'the-bucket-knows-the-domain-and-the-settings',
      severity: 'error',
      from: { path: '^libs/bucket/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/', pathNot: '^libs/(bucket|domain|settings)/' },
    },
    {
      name: 'apps-import-only-the-index-of-a-lib',
      severity: 'error',
      from: { path: '^(apps|tools)/', pathNot: '^apps/(ops|console)/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'command-line-and-console-import-only-the-two-indexes-of-a-lib',
      severity: 'error',
      from: { path: '^apps/(ops|console)/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/src/(index|operators)\\.ts$' },
    },
    {
      name: 'libs-import-only-the-index-of-another-lib',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'operations-know-types-of-the-database-and-the-domain',
      comment: 'So that a command that needs no ORM does not load it.',
      severity: 'error',
      from: { path: '^libs/operations/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/', pathNot: '^libs/(operations|domain)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'html-depends-on-nothing',
      severity: 'error',
      from: { path: '^libs/html/' },
      to: { pathNot: '^libs/html/' },
    },
    {
      name: 'the-api-never-sees-connectors',
      severity: 'error',
      from: { path: '^apps/api/' },
      to: { path: '^libs/connectors/' },
    },
    {
      name: 'no-app-sees-another',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'a-source-knows-the-kit-formats-and-its-own-folder',
      severity: 'error',
      from: { path: '^libs/connectors/src/sources/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(libs|apps|tools|test)/',
        pathNot: ['^libs/connectors/src/(kit|formats)/', '^libs/connectors/src/sources/$1/', '^libs/domain/'],
      },
    },
    {
      name: 'a-dialect-of-several-files-is-for-its-own-sources',
      comment: 'Its names belong to a source: other folders must not mistake them for the kit.',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/connectors/src/(formats/swissrets|sources/swissrets(json)?)/' },
      to: { path: '^libs/connectors/src/formats/swissrets/' },
    },
    {
      name: 'exporters-know-the-domain-only',
      severity: 'error',
      from: { path: '^libs/exporters/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/', pathNot: '^libs/(exporters|domain|formats)/' },
    },
    {
      name: 'a-target-knows-the-kit-and-its-own-folder',
      severity: 'error',
      from: { path: '^libs/exporters/src/targets/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(libs|apps|tools|test)/',
        pathNot: ['^libs/exporters/src/kit/', '^libs/exporters/src/targets/$1/', '^libs/(domain|formats)/'],
      },
    },
    {
      name: 'the-api-never-sees-exporters',
      severity: 'error',
      from: { path: '^apps/api/' },
      to: { path: '^libs/exporters/' },
    },
    {
      name: 'production-code-does-not-import-tests',
      comment: 'Specs beside the code may import test/support.',
      severity: 'error',
      from: { path: '^(apps|libs|tools)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/|\\.spec\\.ts$' },
    },
    {
      name: 'only-the-database-lib-speaks-sql',
      severity: 'error',
      from: { path: '^(apps|libs|tools)/', pathNot: '^libs/database/' },
      to: { path: 'node_modules/(typeorm|pg)/' },
    },
    {
      name: 'only-the-queue-lib-and-the-worker-know-bullmq',
      severity: 'error',
      from: {
        path: '^(apps|libs|tools)/',
        pathNot: '^libs/(queue|limits)/|^apps/ingestor/src/(queue|board|webhooks|ingestor\\.module)',
      },
      to: { path: 'node_modules/(bullmq|ioredis|@nestjs/bullmq)/' },
    },
    {
      name: 'only-the-traces-lib-knows-opentelemetry',
      severity: 'error',
      from: { path: '^(apps|libs|tools)/', pathNot: '^libs/traces/src/otlp-traces' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'only-the-media-lib-knows-sharp',
      severity: 'error',
      // The simulator takes photos, and is no part of the product.
      from: { path: '^(apps|libs|tools)/', pathNot: '^libs/media/|^tools/simulator/photos/(take-photo|photos\\.spec)' },
      to: { path: 'node_modules/sharp/' },
    },
    {
      name: 'only-the-bucket-lib-knows-s3',
      severity: 'error',
      from: { path: '^(apps|libs|tools)/', pathNot: '^libs/bucket/src/store/s3-bucket' },
      to: { path: 'node_modules/@aws-sdk/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};

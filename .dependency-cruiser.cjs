/** The dependency rules of ARCHITECTURE.md, as sentences that fail the build. */
module.exports = {
  forbidden: [
    { name: 'no-import-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-depends-on-nothing',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: { pathNot: '^libs/domain/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'libs-do-not-know-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|tools|test)/' },
    },
    {
      name: 'database-queue-and-connectors-do-not-know-each-other',
      severity: 'error',
      from: { path: '^libs/(database|queue|connectors)/' },
      to: { path: '^libs/(database|queue|connectors)/', pathNot: '^libs/$1/' },
    },
    {
      name: 'a-lib-is-entered-by-apps-through-its-door',
      severity: 'error',
      from: { path: '^(apps|tools)/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'a-lib-is-entered-by-other-libs-through-its-door',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'the-api-never-sees-connectors',
      severity: 'error',
      from: { path: '^apps/api/' },
      to: { path: '^(libs/connectors|apps/ingestor)/' },
    },
    {
      name: 'the-ingestor-never-sees-the-api',
      severity: 'error',
      from: { path: '^apps/ingestor/' },
      to: { path: '^apps/api/' },
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
      name: 'production-code-does-not-import-tests',
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
        pathNot: '^libs/queue/|^apps/ingestor/src/(queue|ingestor\\.module|health)',
      },
      to: { path: 'node_modules/(bullmq|ioredis|@nestjs/bullmq)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};

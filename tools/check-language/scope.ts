/** Folders and files without a finding: one there fails the check. The list only grows, until it is the whole project. */
export const CLEAN: readonly string[] = [
  '.ci',
  '.github',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'apps/console',
  'apps/ops',
  'clients',
  'deploy',
  'docker-compose.yml',
  'jest.config.js',
  'libs/connectors/src/engine',
  'libs/connectors/src/kit',
  'libs/domain',
  'libs/operations',
  'libs/settings',
  'ops',
  'tools/check-language',
  'tools/demo',
  'tools/start',
  'tools/start.ts',
];

/** Files that the check does not read, each with the reason. */
export const UNREAD: readonly { path: RegExp; reason: string }[] = [
  { path: /^CHANGELOG\.md$/, reason: 'entries of earlier releases stay as they were published' },
  { path: /^(?:.*\/)?(?:LICENSE|NOTICE|license\.txt)$/, reason: "texts of other people's licences" },
  { path: /\/api-types\.ts$/, reason: 'generated from the texts of apps/api' },
  { path: /\/assets\/leaflet\//, reason: 'copied from npm' },
  { path: /\/migrations\/\d/, reason: 'a migration that has run does not change' },
  { path: /\/__fixtures__\/|\/fixtures\//, reason: 'data of sources' },
  { path: /^tools\/check-language\/(?:patterns|language\.spec)\.ts$/, reason: 'names the patterns' },
  { path: /^package(?:-lock)?\.json$/, reason: 'no text' },
];

/** Sentences that keep one of the patterns because it has its plain meaning there. At most 1 in 500 comments. */
export const EXCEPTIONS: readonly { path: string; sentence: string; reason: string }[] = [];

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

/** Sentences with a pattern whose words have their plain meaning. At most 1 in 500 comments. */
export const EXCEPTIONS: readonly { path: string; sentence: string; reason: string }[] = [
  {
    path: 'tools/embedded/server-account.ts',
    sentence: 'PostgreSQL does not run as root',
    reason: 'the name of an account of the system',
  },
];

/** The overview in English. */
export const EN_OVERVIEW = {
  nextStep: 'Next:',
  allWell: 'The database takes writes, the programs are there, and no run waits for an ingestor.',
  readOnly: 'The database takes no writes: lists are served as they are, and nothing is read from the CRMs.',
  noIngestor: (since: string) => `No ingestor takes runs up: the oldest has waited ${since}.`,
  /** Of the other things that are looked at, which one is meant. */
  checks: {
    ...{ database: 'Database', schema: 'Schema', releases: 'Programs and releases', connections: 'Connections' },
    ...{ clocks: 'Clocks', disk: 'Disk', runs: 'Runs', announcer: 'Announcer', queue: 'Queue', backup: 'Backup' },
  } as Readonly<Record<string, string>>,
  counts: 'Gateways by state',
  oldest: (since: string) => `the oldest ${since}`,
  lastDay: 'In the last day',
  lastDayRows: {
    failed: 'Failed runs',
    added: 'Listings added',
    changed: 'Listings changed',
    removed: 'Listings removed',
  },
  wants: 'What wants a decision',
  wantsNothing: 'Nothing wants a decision.',
  heldOf: (count: number): string => (count === 1 ? 'holds a run back' : 'hold runs back'),
  failOf: (count: number): string => (count === 1 ? 'fails' : 'fail'),
  look: 'Look',
  decide: 'Decide',
  /** Why a list is old though no run of it has failed. */
  overdue: {
    running: 'A run of it is under way.',
    waits: (since: string) => `A run of it waits for an ingestor (${since}).`,
    due: (since: string) => `Its run is due (${since}), and no ingestor has asked for it.`,
    nothing: 'Its last run was stopped, or put aside, or confirmed nothing.',
  },
  waiting: (count: number) => (count === 1 ? '1 run waits' : `${count} runs wait`),
  running: (count: number) => (count === 1 ? '1 is under way' : `${count} are under way`),
  recent: 'Newest runs',
  waited: (span: string) => `, the first of them since ${span}`,
  worst: 'Connectors whose runs failed most in the last day',
  noneFails: 'No run failed.',
  allConnectors: 'All connectors',
  programs: 'Programs that are connected',
  program: (name: string, processes: string) => `${processes} × ${name}, release`,
  unknownRelease: 'unknown',
};

/** What the database takes, on the page about the installation. */
export const EN_STORAGE = {
  database: 'Database',
  schema: 'Schema',
  schemaOf: (name: string) => `as of ${name}`,
  schemaLacks: (names: string) => `lacks ${names}`,
  schemaAhead: (names: string) => `has ${names} of a newer release`,
  programs: 'Programs',
  backup: 'Last backup by “ops backup”',
  storage: 'Storage',
  table: 'Table',
  size: 'With its indexes',
  rows: 'Rows, about',
  growth: (runs: string, versions: string, size: string) =>
    `In the last day ${runs} runs and ${versions} versions of listings were written: some ${size}, before what is old is removed.`,
};

/** What was added to the page of a run. */
export const EN_RUN = {
  log: 'Log lines',
  logHint:
    'What the ingestor has logged about this run, in the words of its log. Lines of level “debug” are kept here alone, unless its LOG_LEVEL is debug.',
  earlierLines: (count: number) => (count === 1 ? '1 line came before.' : `${count} lines came before.`),
  rejectedRecords: 'Rejected records',
  inLogs: 'In the logs',
  request: 'Request',
  attempts: 'Attempts',
  shared: {
    removed: (count: string, all: string) => `Of the ${all} that would go, ${count} have an identifier that`,
    added: (count: string, all: string) => `Of the ${all} that would come, ${count} have an identifier that`,
    changed: (count: string, all: string) => `Of the ${all} that would change, ${count} have an identifier that`,
    begins: 'begins with',
    ends: 'ends with',
  },
};

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
  waiting: (count: number) => (count === 1 ? '1 run waits' : `${count} runs wait`),
  running: (count: number) => (count === 1 ? '1 is under way' : `${count} are under way`),
  recent: 'Newest runs',
};

/** What was added to the page of a run. */
export const EN_RUN = {
  log: 'Log lines',
  logHint:
    'What the ingestor has logged about this run, in the words of its log. Lines of level “debug” are kept here alone, unless its LOG_LEVEL is debug.',
  earlierLines: (count: number) => (count === 1 ? '1 line came before.' : `${count} lines came before.`),
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

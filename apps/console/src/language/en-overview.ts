import type { RunState, RunTrigger, ShownState } from '@passerelle/domain';

export const EN_OVERVIEW = {
  nextStep: 'Next:',
  allWell: 'The database accepts writes, the programs are running, and no run waits for an ingestor.',
  readOnly: 'The database accepts no writes: the current lists are served, and no CRM is read.',
  noIngestor: (since: string) => `No ingestor starts runs: the oldest has waited ${since}.`,
  /** Names of the doctor's checks. */
  checks: {
    ...{ database: 'Database', schema: 'Schema', releases: 'Programs and releases', connections: 'Connections' },
    ...{ clocks: 'Clocks', disk: 'Disk', runs: 'Runs', announcer: 'Announcer', queue: 'Queue', backup: 'Backup' },
  } as Readonly<Record<string, string>>,
  counts: 'Gateways by state',
  /** A state after a number: French needs a plural. */
  inState: (_count: number, state: ShownState): string => (state === 'never' ? 'never published' : state),
  oldest: (since: string) => `the oldest ${since}`,
  lastDay: 'In the last day',
  lastDayRows: {
    failed: 'Failed runs',
    added: 'Listings added',
    changed: 'Listings changed',
    removed: 'Listings removed',
  },
  wants: 'Needs a decision',
  wantsNothing: 'Nothing needs a decision.',
  heldOf: (count: number): string => (count === 1 ? 'has a held run' : 'have held runs'),
  failOf: (count: number): string => (count === 1 ? 'fails' : 'fail'),
  alike: (alike: string, all: string): string => `exactly this in ${alike} of ${all}`,
  ofAll: (count: string, all: string, allCount: number): string =>
    allCount === 1 ? 'The only gateway' : `${count} of ${all} gateways`,
  moreDecisions: (count: number): string => (count === 1 ? 'and 1 more cause' : `and ${count} more causes`),
  look: 'Look',
  decide: 'Decide',
  /** Why a list is old although no run failed. */
  stale: {
    running: 'A run is under way.',
    waits: (since: string) => `A run waits for an ingestor (${since}).`,
    due: (since: string) => `Its run is due (${since}), and no ingestor has queued it.`,
    later: (when: string) => `Its next run starts ${when}.`,
    nothing: 'Its last run was stopped, discarded, or confirmed nothing.',
  },
  waiting: (count: number) => (count === 1 ? '1 run is waiting' : `${count} runs are waiting`),
  running: (count: number) => (count === 1 ? '1 is under way' : `${count} are under way`),
  recent: 'Newest runs',
  waited: (span: string) => `, the first of them since ${span}`,
  worst: 'Connectors whose runs failed most in the last day',
  noneFails: 'No run failed.',
  allConnectors: 'All connectors',
  allRuns: 'All runs',
  programs: 'Connected programs',
  program: (name: string, processes: string) => `${processes} × ${name}, release`,
  unknownRelease: 'unknown',
};

export const EN_TREND = {
  title: 'The last 30 days',
  nothing: 'No day is added up yet: an ingestor does this every hour.',
  changes: 'Listings added, changed or removed',
  failures: 'Failed runs',
  listings: 'Listings at the end of the day',
  figures: 'The days in figures',
  highest: (value: string) => `highest ${value}`,
  from: (day: string, other: string) => `${day} to ${other}, UTC`,
};

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
  size: 'With indexes',
  rows: 'Rows, about',
  growth: (runs: string, versions: string, size: string) =>
    `In the last day ${runs} runs and ${versions} versions of listings were written: about ${size}, before old data is deleted.`,
};

export const EN_RUN = {
  inState: (_count: number, state: RunState): string => state,
  triggers: {
    ...{ schedule: 'the schedule', ops: 'the command line', http: 'HTTP', retry: 'a retry', 'dry-run': 'a dry run' },
    ...{ 'first-read': 'a first read of a site', 'stale-read': 'a site, because the list was stale' },
    ...{ call: 'a webhook from the CRM', revert: 'a return to an earlier list', remap: 'a new mapping' },
  } satisfies Record<RunTrigger, string>,
  log: 'Log lines',
  logHint:
    'Log lines of the ingestor about this run. Lines of level “debug” appear only here, unless its LOG_LEVEL is debug.',
  earlierLines: (count: number) =>
    count === 1 ? '1 earlier line is not shown.' : `${count} earlier lines are not shown.`,
  rejectedRecords: 'Rejected records',
  inLogs: 'In the logs',
  request: 'Request',
  attempts: 'Attempts',
  shared: {
    removed: (count: string, all: string) => `Of the ${all} that would be removed, ${count} have an identifier that`,
    added: (count: string, all: string) => `Of the ${all} that would be added, ${count} have an identifier that`,
    changed: (count: string, all: string) => `Of the ${all} that would change, ${count} have an identifier that`,
    begins: 'begins with',
    ends: 'ends with',
  },
};

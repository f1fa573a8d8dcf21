/** What the pages about connectors and pauses say in English, and the form for a new gateway. */
export const EN_CONNECTORS = {
  csvs: {
    title: 'Add many gateways from CSV',
    hint: 'A line of titles, then a line for each gateway:',
    preview: 'Look at each line',
    add: (count: number) => (count === 1 ? 'Add this one' : `Add these ${count}`),
    checked: (good: number, bad: number) => `${good} can be added, ${bad} cannot. Nothing is saved yet.`,
    done: (good: number, bad: number) =>
      `${good} ${good === 1 ? 'was' : 'were'} added, ${bad} ${bad === 1 ? 'was' : 'were'} not. Their keys are shown this once.`,
    line: 'Line',
    good: 'can be added',
    bad: 'cannot',
    added: 'added',
    key: 'Key',
  },
  trying: {
    try: 'Try it',
    hint: 'Nothing is saved when you try it: the feed is read here and now, at most 200 listings of it.',
    found: (listings: string, records: string, isCut: boolean) =>
      isCut
        ? `The first ${listings} listings, of ${records} records. Nothing is saved yet.`
        : `${listings} listings in ${records} records: the whole feed. Nothing is saved yet.`,
    failed: 'The feed cannot be read:',
    listings: 'The first listings',
  },
  adding: {
    title: 'Add a gateway',
    choose: 'Which connector is it of?',
    add: 'Add it',
    added: 'It is added. Its key, shown this once:',
    hints: {
      client: 'letters, digits, “-” and “_”',
      source: 'the address of the feed',
      every: '90s, 50m, 12h, 7d; empty: as the ingestor is set',
      'contract-end': 'the last day that it serves; empty: none',
    },
  },
  connectors: {
    failed: 'Failed in the last day',
    failedOf: (share: string, runs: string) => `${share} of ${runs}`,
    rates: 'Requests that the vendor allows',
    quota: (second: string, day: string, host: string) => `${second} a second and ${day} a day, of ${host}`,
    atOnce: (count: string) => `${count} at once`,
    notes: 'What it is',
    unknown: 'This release does not know the connector.',
    sources: {
      document: 'A file: https:, http:, ftp:, ftps: or sftp:, or file: for one of the inbox',
      pages: 'An API: https: or http:',
      pushed: 'An API that calls: https: or http:',
    },
  },
  pausing: {
    until: 'Until (UTC); empty: until somebody resumes it',
    told: 'Sites are told.',
    reasonMissing: 'The reason is missing: sites are told why their list grows old.',
    untilWrong: 'The end of the pause is no time to come.',
    meanwhile: 'Somebody has paused it otherwise meanwhile: nothing was done. Below is how it is paused now.',
    untilTime: 'until',
    untilResumed: 'until somebody resumes it',
    by: (name: string) => `by ${name}`,
    list: 'What is paused',
    nothing: 'Nothing is paused.',
    what: 'What',
    terms: 'How long and why',
    host: 'host',
    pauseSome: 'Pause a connector or a host',
    someHint: 'With both, only the sources of this connector on that host. One gateway is paused on its page.',
    hostHint: 'Host of the sources, as feeds.example.org; empty: all',
    dryRuns: 'A dry run shows whether the source is well again.',
  },
};

/** English texts of the pages about connectors and pauses, and of the form for a new gateway. */
export const EN_CONNECTORS = {
  csvs: {
    title: 'Add many gateways from CSV',
    hint: 'A line of titles, then one line per gateway:',
    preview: 'Check each line',
    add: (count: number) => (count === 1 ? 'Add this one' : `Add these ${count}`),
    checked: (good: number, bad: number) => `${good} can be added, ${bad} cannot. Nothing is saved yet.`,
    done: (good: number, bad: number) =>
      `${good} ${good === 1 ? 'was' : 'were'} added, ${bad} ${bad === 1 ? 'was' : 'were'} not. Their keys are shown only once.`,
    line: 'Line',
    good: 'can be added',
    bad: 'cannot',
    added: 'added',
    key: 'Key',
  },
  trying: {
    try: 'Try it',
    hint: 'A try saves nothing: it reads at most 200 listings of the feed now.',
    found: (listings: string, records: string, isCut: boolean) =>
      isCut
        ? `The first ${listings} listings, of ${records} records. Nothing is saved yet.`
        : `${listings} listings in ${records} records: the whole feed. Nothing is saved yet.`,
    failed: 'The feed cannot be read:',
    listings: 'The first listings',
  },
  adding: {
    title: 'Add a gateway',
    choose: 'Which connector?',
    add: 'Add the gateway',
    added: 'The gateway is added. Its key, shown only once:',
    hints: {
      client: 'letters, digits, “-” and “_”',
      source: 'the address of the feed',
      every: '90s, 50m, 12h, 7d; empty: the ingestor’s default',
      'contract-end': 'the last day on which it is served; empty: no end',
    },
  },
  connectors: {
    failed: 'Failed in the last day',
    failedOf: (share: string, runs: string) => `${share} of ${runs}`,
    rates: 'Request limits of the vendor',
    quota: (second: string, day: string, host: string) => `${second} a second and ${day} a day, of ${host}`,
    atOnce: (count: string) => `${count} at a time`,
    notes: 'About',
    unknown: 'This release does not know the connector.',
    sources: {
      document: 'A file: https:, http:, ftp:, ftps: or sftp:, or file: for a file of the inbox',
      pages: 'An API: https: or http:',
      pushed: 'An API with inbound webhooks: https: or http:',
    },
  },
  pausing: {
    until: 'Until (UTC); empty: until an operator resumes it',
    told: 'Sites see it.',
    reasonMissing: 'The reason is missing: sites see why their list is not updated.',
    untilWrong: 'The end of the pause must be in the future.',
    meanwhile: 'Another operator has paused it meanwhile: nothing was changed. The current pause is shown below.',
    untilTime: 'until',
    untilResumed: 'until an operator resumes it',
    by: (name: string) => `by ${name}`,
    list: 'Pauses',
    nothing: 'Nothing is paused.',
    what: 'What',
    terms: 'Until when and why',
    host: 'host',
    pauseSome: 'Pause a connector or a host',
    someHint: 'With both, only the sources of this connector on that host. To pause one gateway, use its page.',
    hostHint: 'Host of the sources, such as feeds.example.org; empty: all',
    dryRuns: 'A dry run shows whether the source works again.',
  },
};

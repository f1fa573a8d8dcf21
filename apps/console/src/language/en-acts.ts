/** The effects of acts, for operators who are about to confirm them. */
export const EN_RISK = {
  disable:
    'Its sites get 403 immediately and may remove their listings. Its data is kept, and enabling it undoes this.',
  publish: (removed: string, added: string, changed: string) =>
    `Publishing replaces the list that sites receive: ${removed} listings go, ${added} come, ${changed} change. This cannot be undone by discarding.`,
  discard: 'Discarding changes nothing for the sites: they still receive the list that is served now.',
  tooLong: (most: number, length: number) => `A reason has at most ${most} characters, and this one has ${length}.`,
  kept: 'Your text, which was not recorded',
  signedOut: 'Your session has ended, and nothing was changed. Sign in, and send the form again.',
};

export const EN_PUBLISH_ALL = {
  title: 'Held for a new version of a connector',
  sentence: (runs: number) =>
    `${runs} ${runs === 1 ? 'run is' : 'runs are'} held only because a new version of the connector removes sold, let or withdrawn listings.`,
  button: 'Publish all of them',
};

export const EN_BULK = {
  retryAll: (count: number) => (count === 1 ? 'Retry this gateway…' : `Retry these ${count}…`),
  title: 'With these gateways',
  chosen: 'the selected ones',
  ofPage: (count: number) => (count === 1 ? 'the one on this page' : `all ${count} on this page`),
  everyOne: (count: number) => `all ${count} found by this search`,
  these: (count: number) => (count === 1 ? 'This gateway' : `These ${count} gateways`),
  confirm: (count: number) => `Apply to ${count === 1 ? 'this one' : `these ${count}`}`,
  none: 'No gateway was selected.',
  tooMany: (most: number) => `At most ${most} at a time: narrow the search.`,
  done: (count: number) => (count === 1 ? 'Done for 1 gateway.' : `Done for ${count} gateways.`),
  left: (count: number) => `${count} skipped`,
  gone: 'was removed',
  changed: (was: string, is: string) => `was ${was}, is now ${is}`,
  already: 'is in that state already',
  paused: 'is paused: its source is not read',
  repaused: 'was paused by another operator meanwhile',
  elsewhere: 'is paused with its connector or its host',
};

export const EN_FOLLOW_UPS = {
  title: 'Note of the operators',
  add: 'Acknowledge, assign or snooze…',
  change: 'Change the note…',
  note: 'Note',
  assignee: 'Taken care of by',
  snooze: 'Snoozed until (UTC); empty: not snoozed',
  snoozedUntil: 'snoozed until',
  save: 'Save the note',
  end: 'Remove the note',
  snoozed: (count: number) => (count === 1 ? '1 gateway is snoozed.' : `${count} gateways are snoozed.`),
};

export const EN_BATCH = {
  title: 'Progress',
  of: (ended: string, all: string) => `${ended} of ${all} runs have ended.`,
  open: 'Show the progress of these runs',
  rest: 'Runs that have not ended, failed or are held',
};

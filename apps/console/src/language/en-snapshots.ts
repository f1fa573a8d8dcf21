export const EN_SNAPSHOTS = {
  title: 'Kept lists',
  hint: 'The gateway can go back to each of them. The source is not read; the next run reads it completely.',
  published: 'Published',
  listings: 'Listings',
  changes: 'Added, changed, removed',
  served: 'served now',
  approved: 'approved by an operator',
  to: 'Go back to',
  preview: 'Show what would change',
  titleOf: (name: string) => `Go back to an earlier list of ${name}`,
  effect: (when: string, removed: string, added: string, changed: string) =>
    `Sites get the list of ${when} again: ${removed} listings go, ${added} come back, ${changed} change.`,
  afterwards: 'The source is not read now. A run that would undo this is held until an operator decides about it.',
  revert: 'Go back to this list',
  unconfirmed: 'An operator went back to this list. Its source has not confirmed it since.',
  guarded: (since: string) =>
    `An operator went back to an earlier list (${since}). A run that would undo that is held until an operator decides about it or ends this guard.`,
  release: 'End the guard',
};

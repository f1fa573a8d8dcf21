export const EN_EDIT = {
  title: 'Edit',
  titleOf: (name: string) => `Edit ${name}`,
  hint: 'An empty field keeps a secret value that is not shown. An ingestor tests and stores the values, because only ingestors can read stored secrets.',
  now: 'now',
  credentialsHint: 'New credentials replace all stored ones.',
  removeCredentials: 'Remove all credentials',
  removeSetting: (name: string) => `Remove ${name}`,
  test: 'Test it',
  save: 'Save',
  noChange: 'Nothing was changed: no value differs.',
  meanwhile: 'The gateway was changed meanwhile: nothing was saved. The fields show your input.',
  slow: 'No ingestor has answered yet. The change is stored, and an ingestor carries it out as soon as it runs.',
  slowTest: 'No ingestor has answered: is one running?',
  waiting: (count: number) =>
    count === 1
      ? 'A change of this gateway waits for an ingestor.'
      : `${count} changes of this gateway wait for an ingestor.`,
  unknownConnector: 'No ingestor has its connector: it cannot be edited here.',
  keys: {
    title: 'Keys and tokens',
    titleOf: (name: string) => `Keys and tokens of ${name}`,
    rotate: 'Make a new key',
    overlap: 'The older keys keep working for',
    scope: 'The new key is for',
    sameScope: 'the same as the newest key',
    newKey: 'The new key, shown only once:',
    newToken: 'The address of its export, shown only once:',
    revoke: 'Revoke',
    revokeHint: 'A revoked key or token ends immediately: sites that use it get 401.',
    make: 'Make an export token',
    confirm: 'I understand that its site stops immediately',
    notConfirmed: 'Tick the box to revoke the key: its site stops immediately.',
  },
  remove: {
    title: 'Remove',
    titleOf: (name: string) => `Remove ${name}`,
    hint: (listings: string) =>
      `Its ${listings} listings, its keys, runs and reports are deleted, and its sites get 404. This cannot be undone. Disabling it keeps the data.`,
    type: (name: string) => `Type ${name}`,
    wrong: 'The name is not the name of this gateway: nothing was removed.',
    withLeads: 'Also remove enquiries that are not delivered yet',
  },
  period: {
    label: 'The new period',
    hint: 'such as 50m or 2h; empty for the default',
  },
  operators: { remove: 'Remove', setRole: 'Set the role', roleOf: (name: string) => `Role of ${name}` },
};

import type { RecordFormat } from './contracts';
import { type ConnectorDeclaration, defineConnector } from './define-connector';
import { documentFetch } from './http-access';

const format: RecordFormat<string> = {
  async *slice() {},
  parse: (bytes) => bytes.toString(),
  toRaw: () => ({}),
};

function declaration(changes: Partial<ConnectorDeclaration<string>> = {}): ConnectorDeclaration<string> {
  return {
    code: 'demo-crm',
    label: 'Demo',
    type: 'xml',
    notes: 'Source: an address.',
    fetch: documentFetch(),
    format,
    map: () => ({ kind: 'withdrawn', affId: '1', message: 'demo' }),
    ...changes,
  };
}

describe('defineConnector', () => {
  it('fills in the defaults of most connectors', () => {
    const connector = defineConnector(declaration());
    expect(connector).toMatchObject({ version: 1, credentials: {}, settings: {}, open: { container: 'plain' } });
    expect(Object.isFrozen(connector)).toBe(true);
  });

  it('accepts every credential of a document fetch, in addition to the declared ones', () => {
    const { credentials } = defineConnector(declaration({ credentials: { agence: 'Its number.' } }));
    expect(Object.keys(credentials)).toEqual([
      ...['user', 'password', 'username', 'token', 'header', 'header-value', 'query', 'query-value'],
      ...['private-key', 'passphrase', 'agence'],
    ]);
  });

  it.each<[string, Partial<ConnectorDeclaration<string>>]>([
    ['a code is lower-case', { code: 'Demo_CRM' }],
    ['a label is what people read', { label: ' ' }],
    ['notes must say', { notes: '' }],
    ['a version is a whole number', { version: 0 }],
    ['the setting "Agence Nom" is not', { settings: { 'Agence Nom': 'x' } }],
    ['the credential "token" needs a sentence', { credentials: { token: '' } }],
    ['an archive needs `holdsRecords`', { open: { container: 'zip' } }],
  ])('throws at boot when a rule is broken: %s', (problem, changes) => {
    expect(() => defineConnector(declaration(changes))).toThrow(problem);
  });
});

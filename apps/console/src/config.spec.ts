import { parseConfig } from './config';

const LEAST = {
  DATABASE_URL: 'postgres://localhost/passerelle',
  SECRETS_KEY: 'k'.repeat(32),
  CONSOLE_SECRET: 'c'.repeat(32),
};

describe('parseConfig', () => {
  it('has a default for every setting except the required ones', () => {
    expect(parseConfig(LEAST)).toEqual({
      ...{
        host: '127.0.0.1',
        port: 3004,
        url: 'http://localhost:3004',
        databaseUrl: LEAST.DATABASE_URL,
        databaseDirectUrl: null,
        databasePool: null,
      },
      consoleSecret: LEAST.CONSOLE_SECRET,
      ...{ secretsKey: LEAST.SECRETS_KEY, secretsKeyOld: null, refreshEverySeconds: 3000, trustProxy: [] },
      snapshotTtlSeconds: 3600,
      ...{ provider: null, trustedHeader: null },
      settings: expect.any(Array),
      ...{ inboxDir: '.data/inbox', allowPrivate: [] },
      ...{ opsToken: null, logLevel: 'info' },
    });
  });

  it('reads the given values', () => {
    expect(
      parseConfig({
        ...{ ...LEAST, CONSOLE_PORT: '8080', CONSOLE_URL: 'https://console.example.org', HOST: '0.0.0.0' },
        DATABASE_POOL: '4',
      }),
    ).toMatchObject({ port: 8080, url: 'https://console.example.org', host: '0.0.0.0', databasePool: 4 });
  });

  it.each([
    ['DATABASE_URL is missing', { SECRETS_KEY: LEAST.SECRETS_KEY }],
    ['SECRETS_KEY is missing', { DATABASE_URL: LEAST.DATABASE_URL }],
    [
      'CONSOLE_SECRET is missing: it signs the sessions of the console; make one with "openssl rand -base64 32"',
      { ...LEAST, CONSOLE_SECRET: '' },
    ],
    ['CONSOLE_SECRET must not be SECRETS_KEY', { ...LEAST, CONSOLE_SECRET: LEAST.SECRETS_KEY }],
    ['CONSOLE_SECRET', { ...LEAST, CONSOLE_SECRET: 'short' }],
    ['CONSOLE_PORT', { ...LEAST, CONSOLE_PORT: 'x' }],
    ['OIDC_CLIENT_SECRET is missing', { ...LEAST, OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'x' }],
    [
      'OIDC_ISSUER must be an https address',
      { ...LEAST, OIDC_ISSUER: 'http://id.example.org', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' },
    ],
    ['CONSOLE_TRUSTED_PROXIES is missing', { ...LEAST, CONSOLE_TRUSTED_HEADER: 'X-Remote-User' }],
    ['CONSOLE_URL', { ...LEAST, CONSOLE_URL: 'console.example.org' }],
  ])('refuses an invalid setting and names it: %s', (message, environment) => {
    expect(() => parseConfig(environment)).toThrow(message);
  });
});

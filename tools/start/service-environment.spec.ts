import { SETTINGS } from '@passerelle/settings';
import { environmentOf } from './service-environment';

const SECRET_NAMES = Object.entries<{ isSecret?: true }>(SETTINGS).flatMap(([name, { isSecret }]) =>
  isSecret === true ? [name, `${name}_FILE`] : [],
);
const env = {
  ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, 'x'])),
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, 'x'])),
  ...{ PATH: '/bin', HOME: '/root', AWS_REGION: 'x', AWS_SECRET_ACCESS_KEY: 'x', NPM_TOKEN: 'x', PGPASSWORD: 'x' },
};
const secretsOf = (program: Parameters<typeof environmentOf>[0]): string[] =>
  Object.keys(environmentOf(program, env)).filter((name) => SECRET_NAMES.includes(name) && !name.endsWith('_FILE'));

describe('the environment of a program that npm start runs', () => {
  it('contains the secrets that the program reads, and no other secrets', () => {
    expect(secretsOf('API')).toEqual([
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'DATABASE_PASSWORD',
      'DATABASE_READ_URL',
      'REDIS_URL',
      'REDIS_PASSWORD',
      'SECRETS_KEY',
      'SECRETS_KEY_OLD',
      'OPS_TOKEN',
    ]);
    expect(secretsOf('ingestor')).toEqual([
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'DATABASE_PASSWORD',
      'REDIS_URL',
      'REDIS_PASSWORD',
      'SECRETS_KEY',
      'SECRETS_KEY_OLD',
      'MAIL_URL',
      'OPS_TOKEN',
    ]);
    expect(secretsOf('console')).toEqual([
      'CONSOLE_SECRET',
      'OIDC_CLIENT_SECRET',
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'DATABASE_PASSWORD',
      'SECRETS_KEY',
      'SECRETS_KEY_OLD',
      'OPS_TOKEN',
    ]);
    expect(secretsOf(null)).toEqual([]);
  });

  it('does not contain settings that name the file of another secret', () => {
    expect(Object.keys(environmentOf(null, env)).filter((name) => name.endsWith('_FILE'))).toEqual([]);
  });

  it("contains a bucket's credentials only for programs that read or write photos", () => {
    const others = ['AWS_SECRET_ACCESS_KEY', 'NPM_TOKEN', 'PGPASSWORD'];
    const found = (program: Parameters<typeof environmentOf>[0]): string[] =>
      others.filter((name) => name in environmentOf(program, env));
    expect([found('API'), found('ingestor'), found(null)]).toEqual([
      ['AWS_SECRET_ACCESS_KEY'],
      ['AWS_SECRET_ACCESS_KEY'],
      [],
    ]);
  });

  it('contains every setting that is not secret', () => {
    expect(environmentOf(null, env)).toMatchObject({ PATH: '/bin', HOME: '/root', SIMULATOR_PORT: 'x', PORT: 'x' });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type SettingName, Settings, SETTINGS } from './index';
import { anyText } from './kinds';

const NAMES = Object.keys(SETTINGS) as SettingName[];
const LONG_KEY = 'k'.repeat(32);

const TAKEN: [SettingName, string, unknown][] = [
  ['PORT', '8080', 8080],
  ['PORT', '0', 0],
  ['HOST', '0.0.0.0', '0.0.0.0'],
  ['OPS_PORT', '65535', 65_535],
  ['BASE_URL', 'https://listings.example/', 'https://listings.example'],
  ['BASE_URL', 'https://listings.example/api/', 'https://listings.example/api'],
  ['DATABASE_URL', 'postgresql://h/db', 'postgresql://h/db'],
  ['DATABASE_READ_URL', 'postgres://replica/db', 'postgres://replica/db'],
  ['DATABASE_DIRECT_URL', 'postgres://server/db', 'postgres://server/db'],
  ['DATABASE_POOL', '4', 4],
  ['DATABASE_PARTITIONS', '16', 16],
  ['COMPOSE_RELEASE', '1.2.0', '1.2.0'],
  ['DATABASE_INGEST_PASSWORD', 'a-b_c.d~e0123456', 'a-b_c.d~e0123456'],
  ['DATABASE_SERVE_PASSWORD', 'a-b_c.d~e0123456', 'a-b_c.d~e0123456'],
  ['DATABASE_OPERATE_PASSWORD', 'a-b_c.d~e0123456', 'a-b_c.d~e0123456'],
  ['CONSOLE_PORT', '8081', 8081],
  ['OIDC_ISSUER', 'https://id.example.org/', 'https://id.example.org/'],
  ['OIDC_CLIENT_ID', 'console', 'console'],
  ['OIDC_CLIENT_SECRET', 'hunter2', 'hunter2'],
  ['OIDC_ROLE_CLAIM', 'groups', 'groups'],
  ['CONSOLE_TRUSTED_HEADER', 'X-Remote-User', 'x-remote-user'],
  ['CONSOLE_TRUSTED_PROXIES', '10.0.0.0/8', ['10.0.0.0/8']],
  ['CONSOLE_URL', 'https://console.example/', 'https://console.example'],
  ['REDIS_URL', 'rediss://h/1', 'rediss://h/1'],
  ['DATABASE_PASSWORD', 'p', 'p'],
  ['REDIS_PASSWORD', 'p', 'p'],
  ['REDIS_PREFIX', 'mine', 'mine'],
  ['DATA_DIR', '/data', '/data'],
  ['INBOX_DIR', ' /inbox ', '/inbox'],
  ['MEDIA_DIR', '/photos', '/photos'],
  ['MEDIA_BUCKET_URL', 's3://photos', 's3://photos'],
  ['PAGES_BUCKET_URL', 's3://lists', 's3://lists'],
  ['MEDIA_BASE_URL', 'https://photos.example/', 'https://photos.example'],
  ['SNAPSHOT_TTL_SECONDS', '0', 0],
  ['WALK_SECONDS', '60', 60],
  ['DRAIN_SECONDS', '5', 5],
  ['REFRESH_EVERY_SECONDS', '60', 60],
  ['KEEP_UNREADABLE_HOURS', '0', 0],
  ['REMAP_SPREAD_HOURS', '0', 0],
  ['INGEST_CONCURRENCY', '8', 8],
  ['FETCH_CONCURRENCY', '16', 16],
  ['FETCH_PER_HOST', '2', 2],
  ['FETCH_SPOOL_MB', '100', 100],
  ['SPOOL_DIR', '/data/spool', '/data/spool'],
  ['MAPPING_THREADS', '0', 0],
  ['ALLOW_PRIVATE_SOURCES', 'CRM.local:8080, [::1]:80,,', ['crm.local:8080', '[::1]:80']],
  ['CONSOLE_SECRET', LONG_KEY, LONG_KEY],
  ['SECRETS_KEY', LONG_KEY, LONG_KEY],
  ['SECRETS_KEY_OLD', LONG_KEY, LONG_KEY],
  ['MAIL_URL', 'smtps://u:p@mail.example', 'smtps://u:p@mail.example'],
  ['NOTIFY_EMAIL', 'a@b.example, c@b.example', ['a@b.example', 'c@b.example']],
  ['MAIL_FROM', 'Gateway <leads@b.example>', 'Gateway <leads@b.example>'],
  ['MAIL_FROM', 'leads@b.example', 'leads@b.example'],
  ['OPS_TOKEN', 'token', 'token'],
  ['OPS_USER', 'cmartin', 'cmartin'],
  ['OPS_HOSTS', 'Ops.example.org, ingestor.ops', ['ops.example.org', 'ingestor.ops']],
  ['OPS_METRICS_OPEN', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ['OPS_METRICS_OPEN', 'true', ['0.0.0.0/0', '::/0']],
  ['OPS_METRICS_OPEN', 'false', []],
  ['SECURITY_CONTACT', 'mailto:a@b.example', 'mailto:a@b.example'],
  ['SECURITY_CONTACT', 'https://b.example/report', 'https://b.example/report'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/', 'http://collector:4318'],
  ['TRUST_PROXY', '10.0.0.0/8, 192.168.1.7 ,fd00::/8,', ['10.0.0.0/8', '192.168.1.7', 'fd00::/8']],
  ['REQUIRE_HTTPS', 'true', true],
  ['REQUIRE_HTTPS', '0', false],
  ['RATE_LIMIT_PER_MINUTE', '600', 600],
  ['REFUSED_KEYS_PER_MINUTE', '60', 60],
  ['LOG_LEVEL', 'debug', 'debug'],
  ['ACCESS_LOG', 'false', false],
  ['SIMULATOR_PORT', '4000', 4000],
  ['DEMO_PORT', '4001', 4001],
  ['DEMO_GATEWAYS', '[]', '[]'],
  ['NODE_ENV', 'production', 'production'],
];

const REFUSED: [SettingName, string][] = [
  ...['http', '65536', '-1', '3000.5'].map((text): [SettingName, string] => ['PORT', text]),
  ['OPS_PORT', 'x'],
  ['CONSOLE_PORT', '-1'],
  ['OIDC_ISSUER', 'ldap://id.example.org'],
  ['CONSOLE_TRUSTED_HEADER', 'X Remote'],
  ['CONSOLE_TRUSTED_PROXIES', '0.0.0.0/0'],
  ['CONSOLE_URL', 'console.example'],
  ...['ops.example.org:3001', 'https://ops', '*.example.org'].map((text): [SettingName, string] => ['OPS_HOSTS', text]),
  ...['yes', '10.0.0.0/0', 'prometheus'].map((text): [SettingName, string] => ['OPS_METRICS_OPEN', text]),
  ...['a@b.example', 'http://b.example/report', 'mailto:', 'mailto:a@b.example\nExpires: never'].map(
    (text): [SettingName, string] => ['SECURITY_CONTACT', text],
  ),
  ['MAIL_URL', 'mail.example:25'],
  ['NOTIFY_EMAIL', 'operators'],
  ...['b.example', 'A <a@b.example>, c@d.example', 'a@b.example\nBcc: c@d.example'].map(
    (text): [SettingName, string] => ['MAIL_FROM', text],
  ),
  ['SIMULATOR_PORT', '70000'],
  ['DEMO_PORT', '70000'],
  ...['listings.example', 'ftp://listings.example', 'https://l.example/?a=b', 'https://u:p@l.example'].map(
    (text): [SettingName, string] => ['BASE_URL', text],
  ),
  ...['mysql://h/db', 'localhost', 'postgres://one,two:5432/db'].map((text): [SettingName, string] => [
    'DATABASE_URL',
    text,
  ]),
  ['DATABASE_READ_URL', 'replica:5432'],
  ['DATABASE_READ_URL', 'postgres://one,two/db'],
  ['DATABASE_DIRECT_URL', 'server:5432'],
  ['DATABASE_DIRECT_URL', 'postgres://one,two/db'],
  ...['1', '1001'].map((text): [SettingName, string] => ['DATABASE_POOL', text]),
  ...['0', '1025'].map((text): [SettingName, string] => ['DATABASE_PARTITIONS', text]),
  ...['15-characters-x', 'at@the-wrong/place'].map((text): [SettingName, string] => ['DATABASE_INGEST_PASSWORD', text]),
  ['DATABASE_SERVE_PASSWORD', 'short'],
  ['DATABASE_OPERATE_PASSWORD', 'short'],
  ['REDIS_URL', 'http://h'],
  ['MEDIA_BASE_URL', 'photos'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ...['1h', '-5', '31536001'].map((text): [SettingName, string] => ['SNAPSHOT_TTL_SECONDS', text]),
  ...['0', '43201'].map((text): [SettingName, string] => ['WALK_SECONDS', text]),
  ['DRAIN_SECONDS', '601'],
  ['REFRESH_EVERY_SECONDS', '0'],
  ['KEEP_UNREADABLE_HOURS', '8761'],
  ['REMAP_SPREAD_HOURS', '721'],
  ...['0', '1001'].map((text): [SettingName, string] => ['INGEST_CONCURRENCY', text]),
  ...['0', '1001'].flatMap((text): [SettingName, string][] => [
    ['FETCH_CONCURRENCY', text],
    ['FETCH_PER_HOST', text],
  ]),
  ['FETCH_SPOOL_MB', '15'],
  ['MAPPING_THREADS', '65'],
  ...['crm.local', 'http://crm.local:80', '10.0.0.0/8'].map((text): [SettingName, string] => [
    'ALLOW_PRIVATE_SOURCES',
    text,
  ]),
  ['CONSOLE_SECRET', 'k'.repeat(31)],
  ['SECRETS_KEY', 'k'.repeat(31)],
  ['SECRETS_KEY_OLD', 'k'.repeat(31)],
  ...['1', 'true', 'loopback', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/8/8'].map((text): [SettingName, string] => [
    'TRUST_PROXY',
    text,
  ]),
  ['REQUIRE_HTTPS', 'yes'],
  ...['0', 'off'].map((text): [SettingName, string] => ['RATE_LIMIT_PER_MINUTE', text]),
  ['REFUSED_KEYS_PER_MINUTE', '0'],
  ['LOG_LEVEL', 'verbose'],
  ['ACCESS_LOG', 'off'],
];

describe('settings', () => {
  it.each(TAKEN)('accept %s=%s', (name, text, expected) => {
    expect(new Settings({ [name]: text }).get(name)).toEqual(expected);
  });

  it.each(REFUSED)('refuse %s=%s in one line that names the setting', (name, text) => {
    const read = (): unknown => new Settings({ [name]: text }).get(name);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} [^\\n]*$`));
  });

  it('settings each have a valid example here, and an invalid one unless every text is valid', () => {
    const refusable = NAMES.filter((name) => SETTINGS[name].kind !== anyText);
    expect(new Set(TAKEN.map(([name]) => name))).toEqual(new Set(NAMES));
    expect(new Set(REFUSED.map(([name]) => name))).toEqual(new Set(refusable));
  });

  it.each(NAMES)('use the default when %s is not set or empty', (name) => {
    const { fallback } = SETTINGS[name];
    expect(new Settings({}).get(name)).toEqual(fallback);
    expect(new Settings({ [name]: ' ' }).get(name)).toEqual(fallback);
  });

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@h/db'],
    ['REDIS_URL', 'http://root:hunter2@h'],
    ['SECRETS_KEY', 'hunter2'],
  ] as const)('do not repeat a refused %s in the message', (name, text) => {
    expect(() => new Settings({ [name]: text }).get(name)).toThrow(/^(?!.*hunter2)/);
  });

  it('report a missing setting with the program that needs it', () => {
    expect(() => new Settings({}).require('DATABASE_URL', 'the API needs it')).toThrow(
      new ConfigError('DATABASE_URL is missing: the API needs it'),
    );
    expect(new Settings({ DATABASE_URL: 'postgres://h/d' }).require('DATABASE_URL', '')).toBe('postgres://h/d');
  });
});

describe('secret setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it.each(NAMES.filter((name) => SETTINGS[name].isSecret))('accepts a file: %s_FILE', (name) => {
    const [, text = ''] = TAKEN.find(([taken]) => taken === name) ?? [];
    expect(new Settings({ [`${name}_FILE`]: file(name, `${text}\n`) }).get(name)).toBe(text);
  });

  it('is missing when both variables are empty, as in compose files', () => {
    expect(new Settings({ OPS_TOKEN: '', OPS_TOKEN_FILE: '' }).get('OPS_TOKEN')).toBeNull();
  });

  it('refuses a value in the environment together with a file', () => {
    const both = new Settings({ OPS_TOKEN: 'a', OPS_TOKEN_FILE: file('token', 'a') });
    expect(() => both.get('OPS_TOKEN')).toThrow(
      new ConfigError('OPS_TOKEN and OPS_TOKEN_FILE are both set: keep one of them'),
    );
  });

  it.each([
    ['does not exist', join(folder, 'absent'), 'cannot be read (ENOENT)'],
    ['is a folder', folder, 'cannot be read (EISDIR)'],
    ['is empty', file('empty', '\n'), 'is empty'],
  ])('refuses a file that %s', (_what, path, problem) => {
    expect(() => new Settings({ OPS_TOKEN_FILE: path }).get('OPS_TOKEN')).toThrow(`OPS_TOKEN_FILE: ${path} ${problem}`);
  });

  it('validates the content of a file like a value in the environment', () => {
    const short = new Settings({ SECRETS_KEY_FILE: file('short', 'short') });
    expect(() => short.get('SECRETS_KEY')).toThrow(new ConfigError('SECRETS_KEY must have at least 32 characters'));
  });

  it.each(NAMES.filter((name) => SETTINGS[name].isSecret))(
    'has the same value from a file as from the environment: %s',
    (name) => {
      const [, text, value] = TAKEN.find(([taken]) => taken === name)!;
      expect(new Settings({ [`${name}_FILE`]: file(name, `${text}\n`) }).get(name)).toEqual(value);
    },
  );

  it('is marked isSecret when its name says so, or when its address may contain a password', () => {
    const looksSecret =
      /KEY(?!S)|TOKEN|PASSWORD|SECRET|CREDENTIAL|^(DATABASE|DATABASE_READ|DATABASE_DIRECT|REDIS|MAIL)_URL$/;
    expect(NAMES.filter((name) => looksSecret.test(name) !== (SETTINGS[name].isSecret ?? false))).toEqual([]);
  });

  it.each([
    ['DATABASE_URL', 'DATABASE_PASSWORD', 'postgres://serve@db:5432/p', 'postgres://serve:a%2F%40%2541@db:5432/p'],
    ['DATABASE_READ_URL', 'DATABASE_PASSWORD', 'postgres://serve@replica/p', 'postgres://serve:a%2F%40%2541@replica/p'],
    ['REDIS_URL', 'REDIS_PASSWORD', 'redis://redis:6379/0', 'redis://:a%2F%40%2541@redis:6379/0'],
    ['REDIS_URL', 'REDIS_PASSWORD', 'redis+cluster://a,b:6379', 'redis+cluster://:a%2F%40%2541@a,b:6379'],
  ] as const)('completes %s with %s and encodes any characters', (name, from, text, whole) => {
    expect(new Settings({ [name]: text, [`${from}_FILE`]: file(from, 'a/@%41\n') }).get(name)).toBe(whole);
  });

  it.each([
    ['DATABASE_URL', 'DATABASE_PASSWORD', 'postgres://serve:hunter2@db/passerelle', 'has a password too'],
    ['DATABASE_URL', 'DATABASE_PASSWORD', 'postgres:///passerelle?host=/tmp', 'names a host'],
  ] as const)('for %s is refused when the address cannot contain it', (name, from, text, problem) => {
    const read = (): unknown => new Settings({ [name]: text, [from]: 'hunter2' }).get(name);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(problem);
    expect(read).toThrow(/^(?!.*hunter2)/);
  });

  it('is the only kind of setting that a file can set', () => {
    expect(new Settings({ HOST_FILE: file('host', '0.0.0.0') }).get('HOST')).toBe('127.0.0.1');
  });
});

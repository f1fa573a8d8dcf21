import { ConfigError } from '@passerelle/domain';
import { parseConfig } from './config';

const DATABASE_URL = 'postgres://user:secret@localhost:5432/passerelle';
const parse = (environment: Record<string, string> = {}) => parseConfig({ DATABASE_URL, ...environment });

describe('parseConfig', () => {
  it('has a default for everything but the database', () => {
    expect(parse()).toEqual({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      databaseUrl: DATABASE_URL,
      snapshotTtlSeconds: 3600,
      trustProxy: [],
      requireHttps: false,
      logLevel: 'info',
      rateLimitPerMinute: null,
      demoGateways: [],
    });
  });

  it.each([
    ['PORT', '8080', { port: 8080, baseUrl: 'http://localhost:8080' }],
    ['PORT', '0', { port: 0 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['BASE_URL', 'https://listings.example/', { baseUrl: 'https://listings.example' }],
    ['BASE_URL', 'https://listings.example/api/', { baseUrl: 'https://listings.example/api' }],
    ['DATABASE_URL', 'postgresql://h/db', { databaseUrl: 'postgresql://h/db' }],
    ['SNAPSHOT_TTL_SECONDS', '60', { snapshotTtlSeconds: 60 }],
    ['SNAPSHOT_TTL_SECONDS', '0', { snapshotTtlSeconds: 0 }],
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.1.7 ,fd00::/8,', { trustProxy: ['10.0.0.0/8', '192.168.1.7', 'fd00::/8'] }],
    ['REQUIRE_HTTPS', 'false', { requireHttps: false }],
    ['REQUIRE_HTTPS', '', { requireHttps: false }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['RATE_LIMIT_PER_MINUTE', '600', { rateLimitPerMinute: 600 }],
    [
      'DEMO_GATEWAYS',
      '[{"crm":"kyero","client":"demo","key":"k"}]',
      { demoGateways: [{ crm: 'kyero', client: 'demo', key: 'k' }] },
    ],
  ])('reads %s=%s', (name, value, expected) => {
    expect(parse({ [name]: value })).toMatchObject(expected);
  });

  it('reads REQUIRE_HTTPS=true where a proxy is trusted', () => {
    expect(parse({ REQUIRE_HTTPS: 'true', TRUST_PROXY: '10.0.0.1' }).requireHttps).toBe(true);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['BASE_URL', 'listings.example'],
    ['BASE_URL', 'ftp://listings.example'],
    ['BASE_URL', 'https://listings.example/?a=b'],
    ['DATABASE_URL', 'mysql://h/db'],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_URL', ''],
    ['SNAPSHOT_TTL_SECONDS', '1h'],
    ['SNAPSHOT_TTL_SECONDS', '-5'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'loopback'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['REQUIRE_HTTPS', 'yes'],
    ['REQUIRE_HTTPS', 'true'],
    ['LOG_LEVEL', 'verbose'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['RATE_LIMIT_PER_MINUTE', 'off'],
    ['DEMO_GATEWAYS', 'kyero'],
    ['DEMO_GATEWAYS', '[{"crm":"kyero"}]'],
  ])('refuses %s=%s in one line that names it', (name, value) => {
    expect(() => parse({ [name]: value })).toThrow(ConfigError);
    expect(() => parse({ [name]: value })).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
  });

  it('does not repeat a database address that may hold a password', () => {
    expect(() => parse({ DATABASE_URL: 'mysql://root:hunter2@h/db' })).toThrow(/^(?!.*hunter2)/);
  });
});

import { ConfigError } from '@passerelle/settings';
import { parseConfig } from './config';

const DATABASE_URL = 'postgres://user:secret@localhost:5432/passerelle';
const parse = (environment: Record<string, string> = {}) => parseConfig({ DATABASE_URL, ...environment });

describe('parseConfig', () => {
  it('has a default for every setting except the database', () => {
    expect(parse()).toEqual({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      databaseUrl: DATABASE_URL,
      databaseDirectUrl: null,
      databasePool: null,
      databaseReadUrl: null,
      redisUrl: null,
      redisPrefix: 'passerelle',
      allowPrivateSources: new Set(),
      secretsKey: null,
      secretsKeyOld: null,
      tracesEndpoint: null,
      snapshotTtlSeconds: 3600,
      walkSeconds: 900,
      drainMs: 0,
      trustProxy: [],
      requireHttps: false,
      logLevel: 'info',
      mediaPlace: { folder: `${process.cwd()}/.data/media` },
      hasPagesBucket: false,
      rateLimitPerMinute: null,
      refusedKeysPerMinute: 1_000,
      opsToken: null,
      securityContact: null,
      hasAccessLog: true,
      demoGateways: [],
    });
  });

  it.each([
    ['PORT', '8080', { port: 8080, baseUrl: 'http://localhost:8080' }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['BASE_URL', 'https://listings.example/', { baseUrl: 'https://listings.example' }],
    ['DATABASE_URL', 'postgresql://h/db', { databaseUrl: 'postgresql://h/db' }],
    ['DATABASE_POOL', '4', { databasePool: 4 }],
    ['SNAPSHOT_TTL_SECONDS', '60', { snapshotTtlSeconds: 60 }],
    ['WALK_SECONDS', '60', { walkSeconds: 60 }],
    ['REDIS_URL', 'redis://h:6379/1', { redisUrl: 'redis://h:6379/1' }],
    ['REDIS_PREFIX', 'x', { redisPrefix: 'x' }],
    ['DRAIN_SECONDS', '5', { drainMs: 5_000 }],
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.1.7', { trustProxy: ['10.0.0.0/8', '192.168.1.7'] }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['ACCESS_LOG', 'false', { hasAccessLog: false }],
    ['REFUSED_KEYS_PER_MINUTE', '60', { refusedKeysPerMinute: 60 }],
    ['OPS_TOKEN', 'token', { opsToken: 'token' }],
    ['RATE_LIMIT_PER_MINUTE', '600', { rateLimitPerMinute: 600 }],
    [
      'DEMO_GATEWAYS',
      '[{"crm":"kyero","client":"demo","key":"k"}]',
      { demoGateways: [{ crm: 'kyero', client: 'demo', key: 'k' }] },
    ],
  ])('reads %s=%s', (name, value, expected) => {
    expect(parse({ [name]: value })).toMatchObject(expected);
  });

  it('accepts REQUIRE_HTTPS together with a trusted proxy', () => {
    expect(parse({ REQUIRE_HTTPS: 'true', TRUST_PROXY: '10.0.0.1' }).requireHttps).toBe(true);
  });

  it.each([
    ['DATABASE_URL', ''],
    ['REQUIRE_HTTPS', 'true'],
    ['DEMO_GATEWAYS', 'kyero'],
    ['DEMO_GATEWAYS', '[{"crm":"kyero"}]'],
  ])('refuses %s=%s with a one-line error that names the variable', (name, value) => {
    expect(() => parse({ [name]: value })).toThrow(ConfigError);
    expect(() => parse({ [name]: value })).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
  });
});

import { availableParallelism } from 'node:os';
import { ConfigError } from '@passerelle/settings';
import { parseConfig } from './config';

const DATABASE_URL = 'postgres://user:secret@localhost:5432/passerelle';
const SECRETS_KEY = 'k'.repeat(32);
const parse = (environment: Record<string, string> = {}) => parseConfig({ DATABASE_URL, ...environment });

describe('parseConfig', () => {
  it('has a default for every setting except the database', () => {
    expect(parse()).toEqual({
      host: '127.0.0.1',
      opsPort: 3001,
      databaseUrl: DATABASE_URL,
      databaseDirectUrl: null,
      databasePool: null,
      redisUrl: null,
      redisPrefix: 'passerelle',
      inboxDir: `${process.cwd()}/.data/inbox`,
      media: { location: { folder: `${process.cwd()}/.data/media` }, baseUrl: 'http://localhost:3000' },
      pagesBucketUrl: null,
      refreshEverySeconds: 3000,
      remapSpreadHours: 24,
      snapshotTtlSeconds: 3600,
      keepUnreadableHours: 72,
      ingestConcurrency: 4,
      fetchConcurrency: 64,
      fetchPerHost: 8,
      fetchSpoolMb: 4096,
      spoolDir: null,
      mappingThreads: Math.max(0, Math.min(availableParallelism() - 2, 4)),
      allowPrivateSources: new Set(),
      secretsKey: null,
      secretsKeyOld: null,
      tracesEndpoint: null,
      mailUrl: null,
      mailFrom: null,
      notifyEmail: [],
      opsToken: null,
      opsHosts: [],
      metricsOpenTo: [],
      isProduction: false,
      logLevel: 'info',
    });
  });

  it.each([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['OPS_PORT', '4001', { opsPort: 4001 }],
    ['DATABASE_URL', 'postgresql://h/db', { databaseUrl: 'postgresql://h/db' }],
    ['DATABASE_POOL', '4', { databasePool: 4 }],
    ['REDIS_URL', 'redis://h/1', { redisUrl: 'redis://h/1' }],
    ['REDIS_PREFIX', 'mine', { redisPrefix: 'mine' }],
    ['DATA_DIR', '/data', { inboxDir: '/data/inbox' }],
    ['INBOX_DIR', '/inbox', { inboxDir: '/inbox' }],
    ['REFRESH_EVERY_SECONDS', '60', { refreshEverySeconds: 60 }],
    ['KEEP_UNREADABLE_HOURS', '0', { keepUnreadableHours: 0 }],
    ['REMAP_SPREAD_HOURS', '48', { remapSpreadHours: 48 }],
    ['INGEST_CONCURRENCY', '8', { ingestConcurrency: 8 }],
    ['FETCH_CONCURRENCY', '16', { fetchConcurrency: 16 }],
    ['FETCH_PER_HOST', '2', { fetchPerHost: 2 }],
    ['FETCH_SPOOL_MB', '100', { fetchSpoolMb: 100 }],
    ['SPOOL_DIR', '/data/spool', { spoolDir: '/data/spool' }],
    ['MAPPING_THREADS', '0', { mappingThreads: 0 }],
    ['ALLOW_PRIVATE_SOURCES', 'crm.local:80', { allowPrivateSources: new Set(['crm.local:80']) }],
    ['SECRETS_KEY', SECRETS_KEY, { secretsKey: SECRETS_KEY }],
    ['MAIL_URL', 'smtp://mail.example', { mailUrl: 'smtp://mail.example' }],
    ['MAIL_FROM', 'leads@b.example', { mailFrom: 'leads@b.example' }],
    ['NOTIFY_EMAIL', 'ops@b.example', { notifyEmail: ['ops@b.example'] }],
    ['OPS_TOKEN', 'token', { opsToken: 'token' }],
    ['NODE_ENV', 'production', { isProduction: true }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ])('reads %s=%s', (name, value, expected) => {
    expect(parse({ [name]: value })).toMatchObject(expected);
  });

  it('refuses to parse settings without a database', () => {
    expect(() => parse({ DATABASE_URL: '' })).toThrow(
      new ConfigError('DATABASE_URL is missing: the ingestor needs a PostgreSQL database'),
    );
  });
});

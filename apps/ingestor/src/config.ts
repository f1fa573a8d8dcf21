import { join, resolve } from 'node:path';
import { ConfigError, LOG_LEVELS, type LogLevel, Settings } from '@passerelle/domain';

/** The ingestor's settings, as parsed once from the environment. */
export interface IngestorConfig {
  host: string;
  opsPort: number;
  databaseUrl: string;
  /** Null: the queue lives in PostgreSQL. */
  redisUrl: string | null;
  redisPrefix: string;
  inboxDir: string;
  refreshEverySeconds: number;
  ingestConcurrency: number;
  /** `host:port` pairs. */
  allowPrivateSources: ReadonlySet<string>;
  secretsKey: string | null;
  opsToken: string | null;
  isProduction: boolean;
  logLevel: LogLevel;
}

const HOST_AND_PORT = /^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/;
const SECRETS_KEY_MIN_LENGTH = 32;
const YEAR_SECONDS = 365 * 24 * 3600;

/** @throws ConfigError for the first variable that is missing or cannot be used. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): IngestorConfig {
  const settings = new Settings(environment);
  const databaseUrl = settings.address('DATABASE_URL', ['postgres', 'postgresql']);
  if (databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL is missing: the ingestor needs a PostgreSQL database');
  }
  return {
    host: settings.text('HOST') ?? '127.0.0.1',
    opsPort: settings.integer('OPS_PORT', { min: 0, max: 65_535 }) ?? 3001,
    databaseUrl,
    redisUrl: settings.address('REDIS_URL', ['redis', 'rediss']) ?? null,
    redisPrefix: settings.text('REDIS_PREFIX') ?? 'passerelle',
    inboxDir: resolve(settings.text('INBOX_DIR') ?? join(settings.text('DATA_DIR') ?? '.data', 'inbox')),
    refreshEverySeconds: settings.integer('REFRESH_EVERY_SECONDS', { min: 1, max: YEAR_SECONDS }) ?? 3000,
    ingestConcurrency: settings.integer('INGEST_CONCURRENCY', { min: 1, max: 1000 }) ?? 4,
    allowPrivateSources: new Set(settings.list('ALLOW_PRIVATE_SOURCES').map(hostAndPort)),
    secretsKey: secretsKey(settings.text('SECRETS_KEY')),
    opsToken: settings.text('OPS_TOKEN') ?? null,
    isProduction: settings.text('NODE_ENV') === 'production',
    logLevel: settings.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
  };
}

function hostAndPort(entry: string): string {
  if (HOST_AND_PORT.test(entry)) return entry.toLowerCase();
  throw new ConfigError(`ALLOW_PRIVATE_SOURCES must be a comma-separated list of host:port, not "${entry}"`);
}

function secretsKey(text: string | undefined): string | null {
  if (text !== undefined && text.length < SECRETS_KEY_MIN_LENGTH) {
    throw new ConfigError(`SECRETS_KEY must have at least ${SECRETS_KEY_MIN_LENGTH} characters`);
  }
  return text ?? null;
}

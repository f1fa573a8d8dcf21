import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type LogLevel, Settings } from '@passerelle/settings';
import { type MediaSettings, readMediaSettings } from '@passerelle/media';

export interface IngestorConfig {
  host: string;
  opsPort: number;
  databaseUrl: string;
  /** The address of PostgreSQL itself if `databaseUrl` points to a pooler; null without a pooler. */
  databaseDirectUrl: string | null;
  /** Null for as many connections as concurrent runs need. */
  databasePool: number | null;
  /** Null if the queue is in PostgreSQL. */
  redisUrl: string | null;
  redisPrefix: string;
  inboxDir: string;
  media: MediaSettings;
  /** The bucket in which the API of the previous release stored reports; null if there is none. */
  pagesBucketUrl: string | null;
  refreshEverySeconds: number;
  /** How long after its confirmation a list counts as fresh. */
  snapshotTtlSeconds: number;
  /** How long a listing with an unreadable record keeps its last published version; 0: not at all. */
  keepUnreadableHours: number;
  /** The time over which an upgrade maps listings again from their stored records; 0: only runs map them again. */
  remapSpreadHours: number;
  /** The most runs whose feeds are processed at the same time. */
  ingestConcurrency: number;
  /** The most runs that are under way at the same time; most of them wait for their source. */
  fetchConcurrency: number;
  fetchPerHost: number;
  /** Disk space for fetched data that has not been read yet. */
  fetchSpoolMb: number;
  /** Null: the temporary folder. */
  spoolDir: string | null;
  /** Threads that map records, in addition to the thread that reads the feeds. */
  mappingThreads: number;
  /** `host:port` pairs. */
  allowPrivateSources: ReadonlySet<string>;
  secretsKey: string | null;
  secretsKeyOld: string | null;
  /** The mail server and the sender's address; null: no e-mail is sent. */
  mailUrl: string | null;
  mailFrom: string | null;
  notifyEmail: readonly string[];
  opsToken: string | null;
  /** Names of the ops port, in addition to addresses and names without a dot; in lower case. */
  opsHosts: readonly string[];
  /** Addresses and networks that may read `/metrics` without the token. */
  metricsOpenTo: readonly string[];
  tracesEndpoint: string | null;
  isProduction: boolean;
  logLevel: LogLevel;
}

/** With more threads, PostgreSQL is the bottleneck of a first import. */
/** The main thread and PostgreSQL use these: on two cores a mapping thread makes a first import slower (decision 22). */
const RESERVED_CORES = 2;
const MOST_THREADS = 4;

/** @throws ConfigError for the first variable that is missing or invalid. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): IngestorConfig {
  const settings = new Settings(environment);
  return {
    host: settings.get('HOST'),
    opsPort: settings.get('OPS_PORT'),
    databasePool: settings.get('DATABASE_POOL'),
    databaseUrl: settings.require('DATABASE_URL', 'the ingestor needs a PostgreSQL database'),
    databaseDirectUrl: settings.get('DATABASE_DIRECT_URL'),
    redisUrl: settings.get('REDIS_URL'),
    redisPrefix: settings.get('REDIS_PREFIX'),
    inboxDir: resolve(settings.get('INBOX_DIR') ?? join(settings.get('DATA_DIR'), 'inbox')),
    media: readMediaSettings(settings),
    pagesBucketUrl: settings.get('PAGES_BUCKET_URL'),
    refreshEverySeconds: settings.get('REFRESH_EVERY_SECONDS'),
    snapshotTtlSeconds: settings.get('SNAPSHOT_TTL_SECONDS'),
    keepUnreadableHours: settings.get('KEEP_UNREADABLE_HOURS'),
    remapSpreadHours: settings.get('REMAP_SPREAD_HOURS'),
    ingestConcurrency: settings.get('INGEST_CONCURRENCY'),
    fetchConcurrency: settings.get('FETCH_CONCURRENCY'),
    fetchPerHost: settings.get('FETCH_PER_HOST'),
    fetchSpoolMb: settings.get('FETCH_SPOOL_MB'),
    spoolDir: settings.get('SPOOL_DIR'),
    mappingThreads: settings.get('MAPPING_THREADS') ?? spareCores(),
    allowPrivateSources: new Set(settings.get('ALLOW_PRIVATE_SOURCES')),
    secretsKey: settings.get('SECRETS_KEY'),
    secretsKeyOld: settings.get('SECRETS_KEY_OLD'),
    tracesEndpoint: settings.get('OTEL_EXPORTER_OTLP_ENDPOINT'),
    mailUrl: settings.get('MAIL_URL'),
    mailFrom: settings.get('MAIL_FROM'),
    notifyEmail: settings.get('NOTIFY_EMAIL'),
    opsToken: settings.get('OPS_TOKEN'),
    opsHosts: settings.get('OPS_HOSTS'),
    metricsOpenTo: settings.get('OPS_METRICS_OPEN'),
    isProduction: settings.get('NODE_ENV') === 'production',
    logLevel: settings.get('LOG_LEVEL'),
  };
}

export function spareCores(): number {
  return Math.max(0, Math.min(availableParallelism() - RESERVED_CORES, MOST_THREADS));
}

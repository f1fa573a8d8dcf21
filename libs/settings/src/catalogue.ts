import { RETENTION, SECRETS_KEY_MIN_LENGTH } from '@passerelle/domain';
import {
  address,
  addressOrRange,
  anyText,
  baseUrl,
  contact,
  databaseAddress,
  databasePassword,
  flag,
  hostAndPort,
  hostName,
  integer,
  type Kind,
  listOf,
  LOG_LEVELS,
  oneOf,
  openTo,
  secretOf,
} from './kinds';
import { optional, type Program, type Setting, withDefault } from './setting';
import { REDIS_SCHEMES } from './redis-location';
import { MAIL_SETTINGS } from './mail-settings';
import { SIGN_IN_SETTINGS } from './sign-in-settings';

const port = integer(0, 65_535);
const seconds = (min: number): Kind<number> => integer(min, 365 * 24 * 3600);
const everybody: readonly Program[] = ['API', 'ingestor', 'console', 'ops', 'migrate', 'npm start'];

/** Every setting of the product, in the order of README.md. The table there is generated from this catalogue. */
const CATALOGUE = {
  PORT: withDefault(port, 3000, { readBy: ['API', 'ingestor', 'npm start'], about: 'port of the API' }),
  HOST: withDefault(anyText, '127.0.0.1', {
    readBy: ['API', 'ingestor', 'console', 'npm start'],
    about: 'address that API, ingestor and console listen on; `0.0.0.0` in the image',
  }),
  OPS_PORT: withDefault(port, 3001, {
    readBy: ['ingestor', 'npm start'],
    about: "port of the ingestor's health, metrics and queue board",
  }),
  CONSOLE_PORT: withDefault(port, 3004, { readBy: ['console', 'npm start'], about: 'port of the console' }),
  CONSOLE_URL: optional(baseUrl, {
    readBy: ['console', 'npm start'],
    about: 'where browsers reach the console; with `https:` its cookies are sent over TLS alone',
    fallbackInWords: '`http://localhost:CONSOLE_PORT`',
  }),
  ...SIGN_IN_SETTINGS,
  BASE_URL: optional(baseUrl, {
    readBy: ['API', 'ingestor', 'npm start'],
    about: 'public address of the API, which `/v1` and `/openapi.json` print and the addresses of photos begin with',
    fallbackInWords: '`http://localhost:PORT`',
  }),
  DATABASE_URL: optional(databaseAddress, {
    readBy: everybody,
    requiredBy: ['API', 'ingestor', 'console', 'migrate'],
    about: 'PostgreSQL 15 or later, at one address: with a standby, that of a proxy or a managed service in front',
    fallbackInWords: 'embedded under `npm start`',
    isSecret: true,
    passwordFrom: 'DATABASE_PASSWORD',
  }),
  DATABASE_DIRECT_URL: optional(databaseAddress, {
    readBy: ['API', 'ingestor', 'console', 'ops', 'migrate'],
    about:
      'direct address of the server, when `DATABASE_URL` leads to a pooler in transaction mode (PgBouncer); used for notifications, a queue in PostgreSQL, migrations and `ops`',
    isSecret: true,
    passwordFrom: 'DATABASE_PASSWORD',
  }),
  DATABASE_PASSWORD: optional(anyText, {
    readBy: everybody,
    about: 'the password for `DATABASE_URL`, `DATABASE_DIRECT_URL` and `DATABASE_READ_URL`, when they contain none',
    isSecret: true,
  }),
  DATABASE_POOL: optional(integer(2, 1_000), {
    readBy: ['API', 'ingestor', 'console'],
    about:
      'largest number of connections to PostgreSQL per process, not counting the one that listens and those of a queue in PostgreSQL',
    fallbackInWords: '`10` for the API, twice `INGEST_CONCURRENCY` plus eight for an ingestor, `8` for the console',
  }),
  DATABASE_PARTITIONS: optional(integer(1, 1_024), {
    readBy: ['migrate', 'npm start'],
    about: 'number of partitions of the tables of listings, when a database is created; later changes have no effect',
    fallbackInWords: '`64`; `8` for the embedded database',
  }),
  DATABASE_READ_URL: optional(databaseAddress, {
    readBy: ['API', 'ops'],
    about: 'a streaming replica from which the API reads the texts of listings',
    isSecret: true,
    passwordFrom: 'DATABASE_PASSWORD',
  }),
  DATABASE_INGEST_PASSWORD: optional(databasePassword, {
    readBy: ['migrate'],
    about: 'password of the role `DATABASE_ingest`, which the migrations create for the ingestors and `ops`',
    isSecret: true,
  }),
  DATABASE_SERVE_PASSWORD: optional(databasePassword, {
    readBy: ['migrate'],
    about: 'password of the role `DATABASE_serve`, which the migrations create for the API',
    isSecret: true,
  }),
  DATABASE_OPERATE_PASSWORD: optional(databasePassword, {
    readBy: ['migrate'],
    about: 'password of the role `DATABASE_operate`, which the migrations create for the console',
    isSecret: true,
  }),
  REDIS_URL: optional(address(...REDIS_SCHEMES), {
    readBy: ['API', 'ingestor', 'npm start'],
    about:
      'server of the queue, which is otherwise in PostgreSQL; when the API has it too, its processes share their rate limits. `rediss:` is TLS, `redis+cluster://host1,host2:6379` (`rediss+cluster:`) a Redis Cluster',
    isSecret: true,
    passwordFrom: 'REDIS_PASSWORD',
  }),
  REDIS_PASSWORD: optional(anyText, {
    readBy: ['API', 'ingestor', 'npm start'],
    about: 'the password for `REDIS_URL`, when it contains none',
    isSecret: true,
  }),
  REDIS_PREFIX: withDefault(anyText, 'passerelle', {
    readBy: ['API', 'ingestor'],
    about: 'prefix of every key in Redis',
  }),
  DATA_DIR: withDefault(anyText, '.data', {
    readBy: ['API', 'ingestor', 'console', 'ops', 'npm start'],
    about: 'embedded database, logs, inbox, photos',
  }),
  INBOX_DIR: optional(anyText, {
    readBy: ['ingestor', 'console', 'ops', 'npm start'],
    about: 'where CRMs drop files; `file:` sources may only point below it',
    fallbackInWords: '`DATA_DIR/inbox`',
  }),
  MEDIA_DIR: optional(anyText, {
    readBy: ['API', 'ingestor', 'ops'],
    about: 'folder for photos that come as files; not shared, because files that no listing names are deleted',
    fallbackInWords: '`DATA_DIR/media`',
  }),
  MEDIA_BUCKET_URL: optional(anyText, {
    readBy: ['API', 'ingestor'],
    about: 'a bucket for these photos instead of a folder: `s3://bucket/prefix`',
  }),
  PAGES_BUCKET_URL: optional(anyText, {
    readBy: ['API', 'ingestor'],
    about: 'no longer used, and ignored; the ingestor still stores the reports that wait there. Remove it',
  }),
  MEDIA_BASE_URL: optional(baseUrl, {
    readBy: ['API', 'ingestor', 'npm start'],
    about: 'the beginning of the addresses of such photos',
    fallbackInWords: '`BASE_URL`',
  }),
  SNAPSHOT_TTL_SECONDS: withDefault(seconds(0), 3600, {
    readBy: ['API', 'ingestor', 'console', 'ops'],
    about: 'how long a list counts as fresh after its confirmation (`X-Cache: HIT`)',
  }),
  WALK_SECONDS: withDefault(integer(1, RETENTION.walks.hours * 3600), 900, {
    readBy: ['API'],
    about: 'how long all pages that one reader requests come from the same snapshot',
  }),
  DRAIN_SECONDS: withDefault(integer(0, 600), 0, {
    fallbackInWords: '`0`; `10` in the image',
    readBy: ['API'],
    about: 'how long the API still answers after it received the signal to stop; its readiness fails immediately',
  }),
  REFRESH_EVERY_SECONDS: withDefault(seconds(1), 3000, {
    readBy: ['ingestor', 'console', 'ops'],
    about: 'how often a gateway without a period of its own is read',
  }),
  KEEP_UNREADABLE_HOURS: withDefault(integer(0, 8_760), 72, {
    readBy: ['ingestor'],
    about: 'how long a listing keeps its last published version when its record becomes unreadable; `0`: not at all',
  }),
  REMAP_SPREAD_HOURS: withDefault(integer(0, 720), 24, {
    readBy: ['ingestor'],
    about:
      'time over which an upgrade with new mappings maps the listings of all gateways again from their stored records; `0`: each run reads its source completely once',
  }),
  INGEST_CONCURRENCY: withDefault(integer(1, 1000), 4, {
    readBy: ['ingestor'],
    about: 'largest number of feeds that one ingestor processes at a time: cutting, mapping, storing, publishing',
  }),
  FETCH_CONCURRENCY: withDefault(integer(1, 1000), 64, {
    readBy: ['ingestor'],
    about:
      'largest number of sources that one ingestor reads at a time; very slow ones are not counted, up to the same number again',
  }),
  FETCH_PER_HOST: withDefault(integer(1, 1000), 8, {
    readBy: ['ingestor'],
    about: 'largest number of these on one host; fewer when the host allows fewer requests a second',
  }),
  FETCH_SPOOL_MB: withDefault(integer(16, 1_000_000), 4096, {
    readBy: ['ingestor'],
    about:
      'disk space, in MiB, for feeds that are fetched and not yet processed; while it is full, downloads wait, except that one at a time may exceed it',
  }),
  SPOOL_DIR: optional(anyText, {
    readBy: ['ingestor', 'ops'],
    about: 'folder of these files',
    fallbackInWords: 'the temporary folder',
  }),
  MAPPING_THREADS: optional(integer(0, 64), {
    readBy: ['ingestor'],
    about: 'additional threads that map the records of large feeds; each uses about 40 MB while it works',
    fallbackInWords: 'the number of cores less two, at most `4`',
  }),
  ALLOW_PRIVATE_SOURCES: withDefault(listOf(hostAndPort, 'host:port'), [], {
    readBy: ['API', 'ingestor', 'console', 'ops', 'npm start'],
    about: '`host:port` pairs, comma-separated, that may resolve to private addresses',
  }),
  SECRETS_KEY: optional(secretOf(SECRETS_KEY_MIN_LENGTH), {
    readBy: ['API', 'ingestor', 'console', 'ops', 'npm start'],
    requiredBy: ['console'],
    about: `encrypts addresses and credentials of sources, and keys the hashes of API keys; ${SECRETS_KEY_MIN_LENGTH} characters at least; required as soon as the database contains something made with it`,
    fallbackInWords: 'generated by `npm start`',
    isSecret: true,
  }),
  SECRETS_KEY_OLD: optional(secretOf(SECRETS_KEY_MIN_LENGTH), {
    readBy: ['API', 'ingestor', 'console', 'ops'],
    about: 'the previous `SECRETS_KEY`, while it is being changed',
    isSecret: true,
  }),
  ...MAIL_SETTINGS,
  OPS_TOKEN: optional(anyText, {
    readBy: ['API', 'ingestor', 'console', 'npm start'],
    about: 'bearer token of the ops port, and of `/metrics` of API and console, which exists only with a token',
    fallbackInWords: 'generated by `npm start`',
    isSecret: true,
  }),
  OPS_HOSTS: withDefault(listOf(hostName, 'host names'), [], {
    readBy: ['ingestor'],
    about:
      'host names of the ops port, besides addresses, `localhost` and names without a dot; any other `Host` is refused',
  }),
  OPS_USER: optional(anyText, {
    readBy: ['ops'],
    about: 'name of the operator in the audit, for the command line; `--as` sets it for one command',
    fallbackInWords: 'the account on the machine',
  }),
  OPS_METRICS_OPEN: withDefault(openTo, [], {
    readBy: ['ingestor'],
    about:
      'addresses or CIDR ranges that may read `/metrics` of the ops port without the `OPS_TOKEN`, or `true` for all',
    fallbackInWords: 'none',
  }),
  TRUST_PROXY: withDefault(listOf(addressOrRange, 'addresses or CIDR ranges (10.0.0.0/8)'), [], {
    readBy: ['API', 'console'],
    about: 'addresses or CIDR ranges of the proxies whose `X-Forwarded-*` headers are trusted',
  }),
  REQUIRE_HTTPS: withDefault(flag, false, {
    readBy: ['API'],
    about: 'refuse requests that did not come over TLS; `true` in the image',
  }),
  SECURITY_CONTACT: optional(contact, {
    readBy: ['API'],
    about:
      'contact for vulnerabilities of this installation, `mailto:` or `https:`; published in `/.well-known/security.txt`, which exists only with it',
  }),
  RATE_LIMIT_PER_MINUTE: optional(integer(1, 1_000_000), {
    readBy: ['API'],
    about: 'allowed requests of one client to one gateway; more get 429',
  }),
  REFUSED_KEYS_PER_MINUTE: withDefault(integer(1, 1_000_000), 1_000, {
    readBy: ['API'],
    about: 'allowed requests with a wrong key from one address, over all gateways; more get 429',
  }),
  LOG_LEVEL: withDefault(oneOf(LOG_LEVELS), 'info', {
    readBy: ['API', 'ingestor', 'console'],
    about: "pino's levels; logs are JSON lines",
  }),
  ACCESS_LOG: withDefault(flag, true, {
    readBy: ['API'],
    about: 'one line in the log for each answer, at `info`',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(baseUrl, {
    readBy: ['API', 'ingestor'],
    about: "receiver of traces, by OTLP over HTTP; without it there are none, and OpenTelemetry's SDK is not loaded",
  }),
  SIMULATOR_PORT: withDefault(port, 3002, {
    readBy: ['npm start'],
    about: 'port of the CRM simulator; the next free port when it is taken',
  }),
  DEMO_PORT: withDefault(port, 3003, {
    readBy: ['npm start'],
    about: "port of the demo's pages; the next free port when it is taken",
  }),
  DEMO_GATEWAYS: optional(anyText, {
    readBy: ['API'],
    about: 'JSON: gateways whose keys are public',
    isInternal: true,
  }),
  COMPOSE_RELEASE: optional(anyText, {
    readBy: ['ops'],
    about: 'the release of docker-compose.yml',
    isInternal: true,
  }),
  NODE_ENV: optional(anyText, { readBy: ['ingestor'], about: '`production` in the image', isInternal: true }),
};

export type SettingName = keyof typeof CATALOGUE;
export type SettingValues = {
  [Name in SettingName]: (typeof CATALOGUE)[Name] extends Setting<infer T> ? T : never;
};

export const SETTINGS: { readonly [Name in SettingName]: Setting<SettingValues[Name]> } = CATALOGUE;

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
  mailbox,
  oneOf,
  openTo,
  secretOf,
} from './kinds';
import { optional, type Program, type Setting, withDefault } from './setting';
import { REDIS_SCHEMES } from './redis-place';
import { SIGN_IN_SETTINGS } from './sign-in-settings';

const port = integer(0, 65_535);
const seconds = (min: number): Kind<number> => integer(min, 365 * 24 * 3600);
const everybody: readonly Program[] = ['API', 'ingestor', 'console', 'ops', 'migrate', 'npm start'];

/** Every setting of the product, in the order of README.md, whose table is made from it. */
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
    about: 'what `/v1` and `/openapi.json` print, and what the addresses of photos begin with',
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
      'the server itself, where `DATABASE_URL` leads to a pooler of transactions (PgBouncer): notifications, a queue in PostgreSQL, migrations and `ops` go there',
    isSecret: true,
    passwordFrom: 'DATABASE_PASSWORD',
  }),
  DATABASE_PASSWORD: optional(anyText, {
    readBy: everybody,
    about: 'the password for `DATABASE_URL`, `DATABASE_DIRECT_URL` and `DATABASE_READ_URL`, where they have none',
    isSecret: true,
  }),
  DATABASE_POOL: optional(integer(2, 1_000), {
    readBy: ['API', 'ingestor', 'console'],
    about:
      'most connections to PostgreSQL of one process, beside the one that listens and those of a queue in PostgreSQL',
    fallbackInWords:
      '`10` for the API, two for each of `INGEST_CONCURRENCY` and eight more for an ingestor, `8` for the console',
  }),
  DATABASE_PARTITIONS: optional(integer(1, 1_024), {
    readBy: ['migrate', 'npm start'],
    about:
      'into how many parts the tables of listings are divided by gateway, when a database is new; later it says nothing',
    fallbackInWords: '`64`; `8` for the embedded database',
  }),
  DATABASE_READ_URL: optional(databaseAddress, {
    readBy: ['API', 'ops'],
    about: 'a streaming replica, from which the API reads the texts of listings',
    isSecret: true,
    passwordFrom: 'DATABASE_PASSWORD',
  }),
  DATABASE_INGEST_PASSWORD: optional(databasePassword, {
    readBy: ['migrate'],
    about: 'of the role `DATABASE_ingest`, which the migrations make for the ingestors and `ops`',
    isSecret: true,
  }),
  DATABASE_SERVE_PASSWORD: optional(databasePassword, {
    readBy: ['migrate'],
    about: 'of the role `DATABASE_serve`, which the migrations make for the API',
    isSecret: true,
  }),
  DATABASE_OPERATE_PASSWORD: optional(databasePassword, {
    readBy: ['migrate'],
    about: 'of the role `DATABASE_operate`, which the migrations make for the console',
    isSecret: true,
  }),
  REDIS_URL: optional(address(...REDIS_SCHEMES), {
    readBy: ['API', 'ingestor', 'npm start'],
    about:
      'where the queue lives, without it in PostgreSQL; where given to the API, its processes count together for the limits. `rediss:` is TLS, `redis+cluster://host1,host2:6379` (`rediss+cluster:`) a Redis Cluster',
    isSecret: true,
    passwordFrom: 'REDIS_PASSWORD',
  }),
  REDIS_PASSWORD: optional(anyText, {
    readBy: ['API', 'ingestor', 'npm start'],
    about: 'the password for `REDIS_URL`, where it has none',
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
    about: 'where photos lie that come as files; of this installation alone, for what no listing names is removed',
    fallbackInWords: '`DATA_DIR/media`',
  }),
  MEDIA_BUCKET_URL: optional(anyText, {
    readBy: ['API', 'ingestor'],
    about: 'a bucket for them instead of a folder: `s3://bucket/prefix`',
  }),
  PAGES_BUCKET_URL: optional(anyText, {
    readBy: ['API', 'ingestor'],
    about: 'no longer used, and ignored; the ingestor still stores the reports that wait there. Remove it',
  }),
  MEDIA_BASE_URL: optional(baseUrl, {
    readBy: ['API', 'ingestor', 'npm start'],
    about: 'what the addresses of such photos begin with',
    fallbackInWords: '`BASE_URL`',
  }),
  SNAPSHOT_TTL_SECONDS: withDefault(seconds(0), 3600, {
    readBy: ['API', 'ingestor'],
    about: 'how long after its confirmation a list counts as fresh (`X-Cache: HIT`)',
  }),
  WALK_SECONDS: withDefault(integer(1, RETENTION.walks.hours * 3600), 900, {
    readBy: ['API'],
    about: "how long the pages of one reader's walk come from one snapshot",
  }),
  DRAIN_SECONDS: withDefault(integer(0, 600), 0, {
    fallbackInWords: '`0`; `10` in the image',
    readBy: ['API'],
    about: 'how long the API goes on answering once it is told to stop; its readiness is red from the first moment',
  }),
  REFRESH_EVERY_SECONDS: withDefault(seconds(1), 3000, {
    readBy: ['ingestor', 'console', 'ops'],
    about: 'how often a gateway is read that has no period of its own',
  }),
  KEEP_UNREADABLE_HOURS: withDefault(integer(0, 8_760), 72, {
    readBy: ['ingestor'],
    about: 'how long a listing whose record has become unreadable keeps its last published version; `0`: not at all',
  }),
  INGEST_CONCURRENCY: withDefault(integer(1, 1000), 4, {
    readBy: ['ingestor'],
    about: 'most feeds that one ingestor works on at a time: cutting, mapping, storing, publishing',
  }),
  FETCH_CONCURRENCY: withDefault(integer(1, 1000), 64, {
    readBy: ['ingestor'],
    about: 'most sources that one ingestor reads at a time; those that drip do not count, up to as many again',
  }),
  FETCH_PER_HOST: withDefault(integer(1, 1000), 8, {
    readBy: ['ingestor'],
    about: 'so many of them on one host, or fewer where fewer requests a second are allowed',
  }),
  FETCH_SPOOL_MB: withDefault(integer(16, 1_000_000), 4096, {
    readBy: ['ingestor'],
    about:
      'room on the disk, in MiB, for what is fetched and not yet worked on; downloads wait while it is full, and one at a time goes beyond it',
  }),
  SPOOL_DIR: optional(anyText, {
    readBy: ['ingestor', 'ops'],
    about: 'where that is',
    fallbackInWords: 'the temporary folder',
  }),
  MAPPING_THREADS: optional(integer(0, 64), {
    readBy: ['ingestor'],
    about: 'threads that map the records of large feeds beside the one that reads them; each takes some 40 MB at work',
    fallbackInWords: 'one less than there are cores, at most `4`',
  }),
  ALLOW_PRIVATE_SOURCES: withDefault(listOf(hostAndPort, 'host:port'), [], {
    readBy: ['API', 'ingestor', 'console', 'ops', 'npm start'],
    about: '`host:port` pairs, comma-separated, that may be private addresses',
  }),
  SECRETS_KEY: optional(secretOf(SECRETS_KEY_MIN_LENGTH), {
    readBy: ['API', 'ingestor', 'console', 'ops', 'npm start'],
    requiredBy: ['console'],
    about: `encrypts addresses and credentials of sources, and the hashes of API keys are made with it; ${SECRETS_KEY_MIN_LENGTH} characters at least; required once something in the database was made with it`,
    fallbackInWords: 'generated by `npm start`',
    isSecret: true,
  }),
  SECRETS_KEY_OLD: optional(secretOf(SECRETS_KEY_MIN_LENGTH), {
    readBy: ['API', 'ingestor', 'console', 'ops'],
    about: 'the `SECRETS_KEY` of before, while it is being changed',
    isSecret: true,
  }),
  MAIL_URL: optional(address('smtp', 'smtps'), {
    readBy: ['ingestor'],
    about: 'the mail server for enquiries, `smtps://user:password@host`; without it those that go by e-mail wait',
    isSecret: true,
  }),
  MAIL_FROM: optional(mailbox, { readBy: ['ingestor'], about: 'who sends them: an address, or `Name <a@b.example>`' }),
  OPS_TOKEN: optional(anyText, {
    readBy: ['API', 'ingestor', 'console', 'npm start'],
    about: 'bearer token of the ops port, and of `/metrics` of API and console, which without one does not exist',
    fallbackInWords: 'generated by `npm start`',
    isSecret: true,
  }),
  OPS_HOSTS: withDefault(listOf(hostName, 'host names'), [], {
    readBy: ['ingestor'],
    about: 'names of the ops port, beside addresses, `localhost` and names without a dot; another `Host` is refused',
  }),
  OPS_USER: optional(anyText, {
    readBy: ['ops'],
    about: 'who works at the command line, as the audit names them; `--as` says it for one command',
    fallbackInWords: 'the account on the machine',
  }),
  OPS_METRICS_OPEN: withDefault(openTo, [], {
    readBy: ['ingestor'],
    about:
      'who reads `/metrics` of the ops port without the `OPS_TOKEN`: addresses or CIDR ranges, or `true` for everybody who reaches it',
    fallbackInWords: 'nobody',
  }),
  TRUST_PROXY: withDefault(listOf(addressOrRange, 'addresses or CIDR ranges (10.0.0.0/8)'), [], {
    readBy: ['API', 'console'],
    about: 'addresses or CIDR ranges of the proxies whose `X-Forwarded-*` headers count',
  }),
  REQUIRE_HTTPS: withDefault(flag, false, {
    readBy: ['API'],
    about: 'refuse requests that did not come over TLS; `true` in the image',
  }),
  SECURITY_CONTACT: optional(contact, {
    readBy: ['API'],
    about:
      'where to write about a vulnerability of this installation, `mailto:` or `https:`; `/.well-known/security.txt` says so, and does not exist without it',
  }),
  RATE_LIMIT_PER_MINUTE: optional(integer(1, 1_000_000), {
    readBy: ['API'],
    about: 'requests of one client to one gateway; more are answered with 429',
  }),
  REFUSED_KEYS_PER_MINUTE: withDefault(integer(1, 1_000_000), 1_000, {
    readBy: ['API'],
    about: 'requests with a wrong key from one address, over all gateways; more of them are answered with 429',
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
    about: "where traces go, by OTLP over HTTP; without it there are none, and OpenTelemetry's SDK is not loaded",
  }),
  SIMULATOR_PORT: withDefault(port, 3002, {
    readBy: ['npm start'],
    about: 'port of the CRM simulator; the next free one when it is taken',
  }),
  DEMO_PORT: withDefault(port, 3003, {
    readBy: ['npm start'],
    about: "port of the demo's pages; the next free one when it is taken",
  }),
  DEMO_GATEWAYS: optional(anyText, {
    readBy: ['API'],
    about: 'JSON: gateways whose keys are public',
    isInternal: true,
  }),
  COMPOSE_RELEASE: optional(anyText, {
    readBy: ['ops'],
    about: 'the release that docker-compose.yml is of',
    isInternal: true,
  }),
  NODE_ENV: optional(anyText, { readBy: ['ingestor'], about: '`production` in the image', isInternal: true }),
};

export type SettingName = keyof typeof CATALOGUE;
export type SettingValues = {
  [Name in SettingName]: (typeof CATALOGUE)[Name] extends Setting<infer T> ? T : never;
};

export const SETTINGS: { readonly [Name in SettingName]: Setting<SettingValues[Name]> } = CATALOGUE;

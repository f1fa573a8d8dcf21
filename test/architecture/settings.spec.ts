import { parseConfig as parseApiConfig } from '../../apps/api/src/config';
import { parseConfig as parseIngestorConfig } from '../../apps/ingestor/src/config';
import { documentedSettings, readFromRoot } from './settings-table';

/** Where the environment is read. */
const READERS = ['apps/api/src/config.ts', 'apps/ingestor/src/config.ts', 'tools/start/settings.ts'];

/** Set by `npm start` for its own processes, or by everybody for every Node program. */
const INTERNAL = ['DEMO_GATEWAYS', 'NODE_ENV'];

describe('the settings table of README.md', () => {
  it('names every variable that is read, and no other', () => {
    const read = READERS.flatMap((path) =>
      [...readFromRoot(path).matchAll(/\('([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name!),
    );
    const expected = [...new Set(read)].filter((name) => !INTERNAL.includes(name)).sort();

    expect(
      documentedSettings()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(expected);
  });

  it('gives the defaults that are in force', () => {
    const minimal = { DATABASE_URL: 'postgres://localhost/x' };
    const api = parseApiConfig(minimal);
    const ingestor = parseIngestorConfig(minimal);
    const documented = Object.fromEntries(documentedSettings().map((setting) => [setting.name, setting.default]));

    expect(documented).toMatchObject({
      HOST: api.host,
      PORT: String(api.port),
      BASE_URL: api.baseUrl.replace(String(api.port), 'PORT'),
      SNAPSHOT_TTL_SECONDS: String(api.snapshotTtlSeconds),
      REQUIRE_HTTPS: String(api.requireHttps),
      RATE_LIMIT_PER_MINUTE: api.rateLimitPerMinute,
      LOG_LEVEL: api.logLevel,
      OPS_PORT: String(ingestor.opsPort),
      REDIS_URL: ingestor.redisUrl,
      REDIS_PREFIX: ingestor.redisPrefix,
      REFRESH_EVERY_SECONDS: String(ingestor.refreshEverySeconds),
      INGEST_CONCURRENCY: String(ingestor.ingestConcurrency),
    });
  });
});

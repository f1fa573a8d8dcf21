import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretBox } from '@passerelle/domain';
import { type ApiServer, startApi } from '../../simulated/apis/api-server';
import { ALTO_CREDENTIALS, ALTO_FEED, simulateAlto } from '../../simulated/apis/alto';
import { PROPSTACK_CREDENTIALS, simulatePropstack } from '../../simulated/apis/propstack';
import { REALWORKS_CREDENTIALS, simulateRealworks } from '../../simulated/apis/realworks';
import { REAPIT_CREDENTIALS, simulateReapit } from '../../simulated/apis/reapit';
import { simulateSkarabee, SKARABEE_CREDENTIALS, SKARABEE_PATH } from '../../simulated/apis/skarabee';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { type RestartedIngestor, restartIngestor } from '../../support/restarted-processes';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { eventually } from '../../support/waiting';

/**
 * `KILLED_LISTINGS=5000 KILLS_EACH=2` is for manual tests. Two kills are the maximum because a run has three attempts.
 */
const LISTINGS = Number(process.env['KILLED_LISTINGS'] ?? 150);
const KILLS_EACH = Number(process.env['KILLS_EACH'] ?? 1);
const PATIENCE_MS = 60_000 + LISTINGS * 100 + KILLS_EACH * 120_000;
const SECRETS_KEY = 'the-key-of-the-imports-that-are-killed-01';
/** The most requests that a kill can lose, because they are in progress or their listings are not stored. */
const LOST_BY_A_KILL = 25;
const RATE = 50;

interface Source {
  crm: string;
  path: string;
  credentials: object;
  /** @param host where the simulator listens */
  settings?(host: string): Record<string, string>;
  simulate(): Promise<ApiServer>;
  /** The number of the request at which the ingestor is killed first, and the number of requests between two kills. */
  killAt: { first: number; every: number };
  /** The maximum number of requests of all attempts, including killed ones; default: unlimited. */
  mostRequests?: number;
}

const PAGE = Math.min(100, Math.ceil(LISTINGS / 10));
const numbers = ids(LISTINGS).map(Number);
/** Spreads the kills evenly over the maximum number of requests of a complete import. */
const cutEvenly = (requests: number): Source['killAt'] => {
  const every = Math.floor(requests / (KILLS_EACH + 1));
  return { first: every, every };
};
const LISTING_BY_LISTING = {
  killAt: cutEvenly(LISTINGS),
  mostRequests: LISTINGS + KILLS_EACH * LOST_BY_A_KILL + 10,
};
/** The requests of two crawls with overlapping pages, and of images for 20 listings at a time. */
const WALKED_WITH_IMAGES = 3 + 3 * Math.ceil(LISTINGS / PAGE) * (1 + Math.ceil(PAGE / 20));
/** One source for each way of fetching. */
const SOURCES: Record<string, Source> = {
  'one document': {
    ...{ crm: 'kyero', path: '/feed.xml', credentials: {} },
    simulate: () => {
      const body = Buffer.from(aKyeroFeed(ids(LISTINGS).map((id) => aProperty(id))));
      return startApi(() => ({ status: 200, headers: { 'content-type': 'application/xml' }, body }));
    },
    killAt: { first: 1, every: 1 },
  },
  'page by page': {
    ...{ crm: 'realworks', path: '/', credentials: REALWORKS_CREDENTIALS, settings: () => ({ limit: String(PAGE) }) },
    simulate: () =>
      simulateRealworks({
        objects: () => numbers.map((id) => ({ id })),
        ...{ letsIn: true, linksTo: undefined, totalIsOffBy: 0, forgetsLinks: false, movesPhotos: false },
        beforePage: () => undefined,
      }),
    killAt: { first: 4, every: 7 },
  },
  'page by page, with images apart': {
    ...{ crm: 'reapit', path: '/', credentials: REAPIT_CREDENTIALS },
    settings: (host) => ({ customer: 'SBOX', 'token-url': `http://${host}/token`, limit: String(PAGE) }),
    simulate: () =>
      simulateReapit({
        properties: () => numbers.map((id) => ({ id: String(id), images: 1 })),
        ...{ offices: [], negotiators: [], tokenIsGoodFor: Infinity, movesPhotos: false, beforePage: () => undefined },
      }),
    killAt: cutEvenly(WALKED_WITH_IMAGES),
    // A crawl starts again after each kill, because all its pages must come from the same time.
    mostRequests: WALKED_WITH_IMAGES + KILLS_EACH * (cutEvenly(WALKED_WITH_IMAGES).every + LOST_BY_A_KILL),
  },
  'listing by listing': {
    ...{ crm: 'alto', path: '/', credentials: ALTO_CREDENTIALS, settings: () => ({ feed: ALTO_FEED }) },
    simulate: () =>
      simulateAlto({
        properties: () => numbers.map((id) => ({ id: String(id) })),
        ...{ branches: ['21'], usesOfToken: Infinity, endsTokens: false, isTokenTaken: false, movesPhotos: false },
        beforeListing: () => undefined,
      }),
    ...LISTING_BY_LISTING,
  },
  'listing by listing over SOAP': {
    ...{ crm: 'skarabee', path: SKARABEE_PATH, credentials: SKARABEE_CREDENTIALS },
    simulate: () =>
      simulateSkarabee({
        publications: () => numbers.map((id) => ({ id: String(id) })),
        ...{ errorOf: () => undefined, movesPhotos: false, offices: ['Immo Exemple'], feedback: [] },
        beforePublication: () => undefined,
      }),
    ...LISTING_BY_LISTING,
  },
  'a CRM that calls': {
    ...{ crm: 'propstack', path: '/v1', credentials: PROPSTACK_CREDENTIALS, settings: () => ({ limit: String(PAGE) }) },
    simulate: () =>
      simulatePropstack({ units: new Map(numbers.map((id) => [id, {}])), removed: [], reportsRemoved: true }),
    killAt: { first: 3, every: 7 },
  },
};

interface Import {
  source: Source;
  db: TestDatabase;
  api: ApiServer;
  ingestor: RestartedIngestor;
  kills: number;
  askedAt: number[];
}

/** Adds a due gateway and starts an ingestor that is killed `KILLS_EACH` times. */
async function startImport(source: Source): Promise<Import> {
  const [db, api] = [await createTestDatabase(), await source.simulate()];
  const { first, every } = source.killAt;
  await db.database.gateways.add(
    {
      ...{ crm: source.crm, client: 'agency', sourceUrl: `http://${api.host}${source.path}`, everySeconds: 3600 },
      settings: { ...source.settings?.(api.host), 'requests-per-second': String(RATE) },
      credentials: new SecretBox(SECRETS_KEY).seal(JSON.stringify(source.credentials)),
      contractEnd: null,
    },
    { hash: Buffer.alloc(32), prefix: 'psr_x' },
  );
  await db.query('UPDATE gateway_schedule SET next_run_at = now()');
  const env = { DATABASE_URL: db.url, SECRETS_KEY, ALLOW_PRIVATE_SOURCES: api.host, LOG_LEVEL: 'warn' };
  const started: Import = { source, db, api, ingestor: restartIngestor(env), kills: 0, askedAt: [] };
  let next = first;
  api.fault = (_request, number) => {
    started.askedAt.push(performance.now());
    if (started.kills < KILLS_EACH && number >= next) {
      // Kills the ingestor at a random moment after the request: while it waits, reads, stores or publishes.
      void sleep(randomInt(200)).then(() => {
        started.ingestor.kill();
      });
      next = number + every;
      started.kills += 1;
    }
    return undefined;
  };
  return started;
}

// Real: built ingestors that are started again after each kill, each with a separate database, HTTP, kill -9. Fake: the
// CRMs, which are simulators.
describe('ingestor that is killed while it reads', () => {
  const imports = new Map<string, Import>();

  // Run all imports at the same time, because an import mostly waits for the end of a killed ingestor's lease.
  beforeAll(async () => {
    await Promise.all(
      Object.entries(SOURCES).map(async ([way, source]) => imports.set(way, await startImport(source))),
    );
  });
  afterAll(async () => {
    await Promise.all(
      [...imports.values()].map(async ({ ingestor, api, db }) => {
        await ingestor.end();
        await api.close();
        await db.drop();
      }),
    );
  });

  it.each(Object.keys(SOURCES))(
    '%s: publishes the listings of the CRM, and continues where it was interrupted',
    async (way) => {
      const started = imports.get(way)!;
      const { db, api, source, askedAt } = started;
      const run = await eventually(async () => {
        const [over] = await db.query<{ state: string; reason: string | null; attempts: number; took: number }>(
          `SELECT state, reason, attempts, extract(epoch FROM ended_at - started_at)::float8 AS took
         FROM run WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
        );
        return over;
      }, PATIENCE_MS);
      const { kills } = started;
      expect([run.state, run.reason, kills]).toEqual(['published', null, KILLS_EACH]);
      // The ingestor may publish a single document before the kill.
      if (way !== 'one document') expect(run.attempts).toBe(KILLS_EACH + 1);
      const listed = await db.query<{ id: string }>(
        'SELECT aff_id AS id FROM current_listing ORDER BY length(aff_id), aff_id',
      );
      expect(listed.map(({ id }) => id)).toEqual(ids(LISTINGS));
      // The request budget is in the database, so a restarted process continues with the rest.
      const busiest = Math.max(...askedAt.map((from) => askedAt.filter((at) => at >= from && at < from + 1000).length));
      expect(busiest).toBeLessThanOrEqual(RATE * 1.5);
      expect(api.requests.length).toBeLessThanOrEqual(source.mostRequests ?? Infinity);
      if (process.env['KILLED_LISTINGS'] !== undefined)
        process.stderr.write(
          `${way}: ${LISTINGS} listings, ${kills} kills, ${api.requests.length} requests, at most ${busiest} in a second, ` +
            `${run.took.toFixed(0)} s, ${run.attempts} attempts\n`,
        );
    },
    PATIENCE_MS + 30_000,
  );
});

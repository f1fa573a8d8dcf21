import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { aFreePort } from '../../support/free-port';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { type Program, startProgram, untilReady } from '../../support/program';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { removeTestKeys } from '../../support/test-redis';
import { eventually } from '../../support/waiting';

// Real: three ingestor processes as built, PostgreSQL, the queue, kill -9, SIGSTOP. Fake: the CRM.

/** `MANY_GATEWAYS=60` for the full size. */
const GATEWAYS = Number(process.env['MANY_GATEWAYS'] ?? 12);
const LISTINGS = 25;
/** Longer than a lease, so that another ingestor takes over the run of the stopped ingestor. */
const SLEEP_MS = 17_000;
const REDIS_URL = process.env['PASSERELLE_TEST_REDIS_URL'];

const REDIS_PREFIX = `test-${randomBytes(4).toString('hex')}`;

const BACKENDS: [name: string, env: Record<string, string>][] = [
  ['PostgreSQL', {}],
  ['Redis', { REDIS_URL: REDIS_URL ?? '', REDIS_PREFIX }],
];

describe.each(BACKENDS)('three ingestors with the queue in %s', (name, queueEnv) => {
  const isThere = name !== 'Redis' || REDIS_URL !== undefined;
  let db: TestDatabase;
  let crm: FeedServer;
  let ingestors: Program[] = [];
  let env: Record<string, string>;

  beforeAll(async () => {
    db = await createTestDatabase();
    const versions = new Map<string, number>();
    crm = await startFeedServer(({ url = '' }) => {
      // Every answer contains another version of the feed, and every listing in it states the version.
      const version = (versions.get(url) ?? 0) + 1;
      versions.set(url, version);
      const properties = ids(LISTINGS).map((id) => aProperty(id, { ref: `v${version}` }));
      return { body: aKyeroFeed(properties), delayMs: 50 + Math.random() * 400 };
    });
    for (let n = 0; n < GATEWAYS; n += 1) {
      await db.database.gateways.add(
        {
          ...{ crm: 'kyero', client: `agency-${n}`, sourceUrl: `http://${crm.hostAndPort}/${n}.xml`, settings: {} },
          ...{ credentials: null, everySeconds: 2, contractEnd: null },
        },
        { hash: Buffer.alloc(32), prefix: 'psr_x' },
      );
    }
    await db.query('UPDATE gateway_schedule SET next_run_at = now()');
    env = { DATABASE_URL: db.url, ALLOW_PRIVATE_SOURCES: crm.hostAndPort, LOG_LEVEL: 'warn', ...queueEnv };
    if (isThere) ingestors = await Promise.all([1, 2, 3].map(startIngestor));
  });

  afterAll(async () => {
    await Promise.all(ingestors.map((ingestor) => ingestor.stop()));
    await crm.close();
    await db.drop();
    if (name === 'Redis' && isThere) await removeTestKeys(REDIS_URL ?? '', REDIS_PREFIX);
  });

  async function startIngestor(): Promise<Program> {
    const opsPort = await aFreePort();
    const program = startProgram('apps/ingestor/src/main.js', { ...env, OPS_PORT: String(opsPort) });
    await untilReady(program, `http://127.0.0.1:${opsPort}/health/ready`);
    return program;
  }

  (isThere ? it : it.skip)(
    'publish only complete snapshots, one after the other, while one process is paused and another is killed repeatedly',
    async () => {
      const [sleeper] = ingestors;
      sleeper!.signal('SIGSTOP');
      const wakesAt = Date.now() + SLEEP_MS;
      while (Date.now() < wakesAt) {
        await sleep(2_500);
        ingestors[1]!.signal('SIGKILL');
        await ingestors[1]!.ended;
        ingestors[1] = await startIngestor();
        // Repeatedly delete everything in the queue.
        if (name === 'Redis') await removeTestKeys(REDIS_URL ?? '', REDIS_PREFIX);
      }
      sleeper!.signal('SIGCONT');
      const [{ now }] = (await db.query<{ now: Date }>('SELECT now()')) as [{ now: Date }];

      await eventually(async () => {
        const stale = await db.query(
          `SELECT 1 FROM gateway g WHERE confirmed_at IS NULL OR confirmed_at < $1
             OR (SELECT count(*) FROM run WHERE gateway_id = g.id AND state = 'published') < 2`,
          [now],
        );
        return stale.length === 0 ? true : undefined;
      });

      expect(await partialOrMixedSnapshots()).toEqual([]);
      expect(await publishersOutOfTurn()).toEqual([]);
      expect(await membersOutOfStep()).toEqual([]);
    },
  );

  /** Snapshots that lack a listing, contain one twice, or contain listings of several versions of the feed. */
  async function partialOrMixedSnapshots(): Promise<object[]> {
    return db.query(
      `SELECT s.id, count(*) AS listings, count(DISTINCT v.aff_id) AS different, count(DISTINCT v.aff_num) AS versions
       FROM snapshot s JOIN snapshot_chunk c ON c.snapshot_id = s.id CROSS JOIN LATERAL unnest(c.version_ids) AS u (version_id)
       LEFT JOIN listing_version v ON v.id = u.version_id
       WHERE s.published_at IS NOT NULL GROUP BY s.id
       HAVING count(*) <> $1 OR count(DISTINCT v.aff_id) <> $1 OR count(DISTINCT v.aff_num) <> 1`,
      [LISTINGS],
    );
  }

  /** Publications whose fencing number is not greater than that of the previous publication. */
  async function publishersOutOfTurn(): Promise<object[]> {
    return db.query(
      `SELECT * FROM (
         SELECT r.gateway_id, r.fence,
                lag(r.fence) OVER (PARTITION BY r.gateway_id ORDER BY s.published_at) AS fence_before
         FROM run r JOIN snapshot s ON s.id = r.snapshot_id WHERE r.state = 'published'
       ) p WHERE fence <= fence_before`,
    );
  }

  /** Listings that are in a current snapshot but not in the look-up by identifier, or the reverse. */
  async function membersOutOfStep(): Promise<object[]> {
    return db.query(
      `WITH listed AS (
         SELECT g.id AS gateway_id, u.version_id
         FROM gateway g JOIN snapshot_chunk c ON c.snapshot_id = g.current_snapshot_id
         CROSS JOIN LATERAL unnest(c.version_ids) AS u (version_id)
       ), known AS (SELECT gateway_id, version_id FROM current_listing)
       (SELECT * FROM listed EXCEPT SELECT * FROM known) UNION ALL (SELECT * FROM known EXCEPT SELECT * FROM listed)`,
    );
  }
});

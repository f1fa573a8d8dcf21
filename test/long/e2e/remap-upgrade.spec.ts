import { mappingKeyOf } from '@passerelle/connectors';
import { connector as kyero } from '../../../libs/connectors/src/sources/kyero/connector';
import type { Simulator } from '../../../tools/simulator/simulator';
import { cpuTimeOf } from '../../bench/cpu-time';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { aKyeroFeed, aProperty } from '../../support/kyero-feed';
import { type Product, startProduct } from '../../support/product';
import { startLoad } from '../../support/steady-load';
import { eventually } from '../../support/waiting';

const GATEWAYS = Number(process.env['REMAP_GATEWAYS'] ?? 100);
const LISTINGS = Number(process.env['REMAP_LISTINGS'] ?? 1_500);
/** One listing in so many has another text under the new mapping. */
const CHANGED = 10;
/** The mapping of an earlier release: this version of the connector, with earlier legal rules. */
const EARLIER = `${kyero.version}.1`;
const TEXT =
  'Belle maison familiale rénovée, à deux pas des écoles et des commerces : séjour traversant baigné de lumière, ' +
  'cuisine équipée, trois chambres, bureau, garage et jardin clos d’environ 450 m². Prestations de qualité.';

// Real: PostgreSQL, the built programs, HTTP, the scheduler, the queue. Fake: the CRM, and that the stored listings
// are those of an earlier mapping, which is written into the database.
describe('an upgrade with a new mapping', () => {
  let crm: FeedServer;
  let product: Product;

  beforeAll(async () => {
    crm = await startFeedServer();
    const simulator = { host: crm.hostAndPort, sources: { kyero: crm.url } } as unknown as Simulator;
    product = await startProduct({ simulator, settings: { REMAP_SPREAD_HOURS: '1' } });
  });
  afterAll(async () => {
    await product.stop();
    await crm.close();
  });

  it('maps all listings again while every read is answered, without a request to a source', async () => {
    const { db } = product;
    const properties = Array.from({ length: LISTINGS }, (_, n) =>
      aProperty(String(n + 1), { desc: `<fr>${TEXT} ${TEXT} N° ${String(n)}</fr>`, town: `Ville ${String(n % 50)}` }),
    );
    crm.answer = { body: aKyeroFeed(properties), headers: { etag: '"v1"' } };
    const reader = await product.addGateway('kyero', 'agency-0');
    for (let n = 1; n < GATEWAYS; n += 1)
      await db.database.gateways.add(
        {
          ...{ crm: 'kyero', client: `agency-${String(n)}`, sourceUrl: crm.url, settings: {} },
          ...{ credentials: null, everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.from(`hash ${String(n)}`.padEnd(32)), prefix: 'psr_x' },
      );
    await db.query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 day'`);
    await db.query(`INSERT INTO run (gateway_id, trigger) SELECT id, 'schedule' FROM gateway ON CONFLICT DO NOTHING`);
    const ended = async (trigger: string): Promise<number> =>
      (
        await db.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM run WHERE trigger = $1 AND state IN ('published', 'unchanged')`,
          [trigger],
        )
      )[0]!.count;
    const open = async (): Promise<number> =>
      (
        await db.query<{ count: number }>(
          `SELECT (SELECT count(*) FROM run WHERE state IN ('queued', 'running'))::int
             + (SELECT count(*) FROM gateway WHERE current_snapshot_id IS NULL)::int AS count`,
        )
      )[0]!.count;
    await eventually(async () => ((await open()) === 0 ? true : undefined), 3_600_000);
    await becomeEarlier(product, crm.url);
    const requests = crm.requests.length;
    const load = startLoad(
      { origin: product.apiUrl, path: '/v1/properties?crm=kyero&client=agency-0', headers: { Key: reader.access.key } },
      ({ status }) => status,
    );
    const planned = async (): Promise<number> =>
      (
        await db.query<{ count: number }>(
          `SELECT (SELECT count(*) FROM gateway_schedule WHERE remap_at IS NOT NULL)::int
             + (SELECT count(*) FROM run WHERE trigger = 'remap')::int AS count`,
        )
      )[0]!.count;
    // The announcer plans once a minute. Then no gateway waits any longer.
    await eventually(async () => ((await planned()) === GATEWAYS ? true : undefined), 600_000);
    const before = await figures(product);
    await db.query(`UPDATE gateway_schedule SET remap_at = now() WHERE remap_at IS NOT NULL`);
    const startedMs = Date.now();
    await eventually(async () => ((await ended('remap')) === GATEWAYS ? true : undefined), 3_600_000);
    const seconds = (Date.now() - startedMs) / 1000;
    const after = await figures(product);
    const answers = await load.stop();
    const total = GATEWAYS * LISTINGS;
    const each = (one: number): number => Math.round((one * 1000) / total);
    process.stdout.write(
      `${JSON.stringify({
        ...{ total, seconds, answers },
        usPerListing: { elapsed: each(seconds * 1000), ingestor: each(after.ingestorMs - before.ingestorMs) },
        postgres: { usPerListing: each(after.postgresMs - before.postgresMs), walMb: (after.wal - before.wal) / 1e6 },
        rows: { inserted: after.inserted - before.inserted, updated: after.updated - before.updated },
        runs: await db.query(
          `SELECT state, count(*)::int AS runs, sum(changed)::int AS changed, sum(warnings)::int AS warnings
           FROM run WHERE trigger = 'remap' GROUP BY state`,
        ),
      })}\n`,
    );
    expect(Object.keys(answers)).toEqual(['200']);
    expect(crm.requests.length).toBe(requests);
    const [sums] = await db.query<{ changed: number }>(
      `SELECT sum(changed)::int AS changed FROM run WHERE trigger = 'remap'`,
    );
    expect(sums?.changed).toBe(GATEWAYS * Math.ceil(LISTINGS / CHANGED));
  });
});

/** Makes the stored listings those of an earlier mapping: one in ten has another town. */
async function becomeEarlier({ db }: Product, url: string): Promise<void> {
  const [gateway] = await db.query<{ key: string }>(
    `SELECT feed_memory ->> 'mappingKey' AS key FROM gateway WHERE client = 'agency-0'`,
  );
  const source = { url, credentials: {}, settings: {} };
  expect(mappingKeyOf(kyero, source)).toBe(gateway!.key);
  const key = mappingKeyOf(kyero, source, '', EARLIER);
  await db.query(
    `UPDATE listing_normalized n SET body = replace(body, '"ville":"Ville', '"ville":"Bourg') FROM listing_version v
     WHERE v.gateway_id = n.gateway_id AND n.version_id = v.id AND v.aff_id::int % $1 = 1`,
    [CHANGED],
  );
  await db.query('UPDATE listing_version SET content_hash = md5(content_hash) WHERE aff_id::int % $1 = 1', [CHANGED]);
  await db.query(
    `UPDATE gateway SET feed_memory = feed_memory || jsonb_build_object('mappedAs', $1::text, 'mappingKey', $2::text)`,
    [EARLIER, key],
  );
}

async function figures({ db, ingestor }: Product) {
  const [row] = await db.query<{ wal: number; inserted: number; updated: number; pids: number[] }>(
    `SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS wal,
       (SELECT sum(n_tup_ins)::float8 FROM pg_stat_user_tables) AS inserted,
       (SELECT sum(n_tup_upd)::float8 FROM pg_stat_user_tables) AS updated,
       ARRAY(SELECT pid FROM pg_stat_activity) AS pids`,
  );
  const { pids, ...rest } = row!;
  const postgresMs = pids.reduce((sum, pid) => sum + cpuTimeOf(pid), 0);
  return { ...rest, postgresMs, ingestorMs: cpuTimeOf(ingestor().pid) };
}

import type { Listing, RunView } from '@passerelle/domain';
import { SIMULATED_CRMS, type SimulatedCrm } from '../../tools/simulator/property';
import { createSimulator, type Simulator } from '../../tools/simulator/simulator';
import { coreOf, expectedCore } from '../support/expected-listing';
import type { GatewayClient } from '../support/gateway-client';
import { type Product, startProduct } from '../support/product';

/** Tests each feed from its source to the pages, with the queue in PostgreSQL (null) or in Redis. */
export function describeWholeChain(redisUrl: string | null): void {
  let simulator: Simulator;
  let product: Product;

  beforeAll(async () => {
    // Apimo's API needs more than one page for this many listings.
    simulator = await createSimulator({ seed: 7, counts: { apimo: 1_150, kyero: 230, poliris: 130 } });
    product = await startProduct({ simulator, redisUrl });
  });

  afterAll(async () => {
    await product.stop();
    await simulator.close();
  });

  describe.each(SIMULATED_CRMS)('%s', (crm) => {
    let gateway: GatewayClient;

    beforeAll(async () => {
      gateway = await product.addGateway(crm);
    });

    it('publishes every listing once, in the order of the feed', async () => {
      const { properties } = simulator.portfolios[crm];

      const run = await firstRun(product, crm);

      expect(run).toMatchObject({ state: 'published', reason: null, records: properties.length, rejected: 0 });
      expect(run).toMatchObject({ added: properties.length, changed: 0, removed: 0, unchanged: 0 });
      const listings = await gateway.readAll('normalized', 200);
      expect(listings.map(coreOf)).toEqual(properties.map((property) => expectedCore(simulator, crm, property)));
    });

    it('serves the raw records in the same order, and the same records in the historic dump', async () => {
      const normalized = await gateway.readAll('normalized', 200);
      const raw = await gateway.readAll<Listing & Record<string, unknown>>('raw', 37);

      expect(raw.map(({ affId, affNum, passerelleName }) => ({ affId, affNum, passerelleName }))).toEqual(
        normalized.map(({ affId, affNum, passerelleName }) => ({ affId, affNum, passerelleName })),
      );
      expect(JSON.parse(await gateway.readDump())).toEqual(raw);
    });

    it('publishes no private data', async () => {
      expect(await gateway.readBytes()).not.toMatch(/PRIVATE|birthday_at|net_seller|negotiable/);
      expect(await gateway.readDump()).not.toMatch(/PRIVATE/);
    });

    it('finds a listing by its identifier and by its reference', async () => {
      const [first] = await gateway.readAll('normalized', 200);
      for (const id of [first!.affId, first!.affNum!]) {
        const response = await gateway.get(`/v1/properties/${encodeURIComponent(id)}`);
        expect(((await response.json()) as { data: Listing }).data.affNum).toBe(first!.affNum);
      }
    });

    it('writes nothing when the feed has not changed', async () => {
      const before = await written(product);
      const pages = await gateway.readBytes();

      const run = await product.ingest(crm);

      expect(run).toMatchObject({ state: 'unchanged', reason: null, added: 0, changed: 0, removed: 0 });
      expect(await gateway.readCacheHeader()).toBe('HIT');
      expect(await written(product)).toEqual(before);
      expect(await gateway.readBytes()).toBe(pages);
    });

    it('publishes exactly the changed, the added and the removed listing', async () => {
      const portfolio = simulator.portfolios[crm];
      const { properties } = portfolio;
      portfolio.change(properties[10]!.id, { price: 777_000, title: 'Un autre titre' });
      portfolio.remove(properties[100]!.id);
      portfolio.add(50);

      const run = await product.ingest(crm);

      expect(run).toMatchObject({
        state: 'published',
        added: 1,
        changed: 1,
        removed: 1,
        unchanged: properties.length - 2,
      });
      const listings = await gateway.readAll('normalized', 200);
      expect(listings.map(coreOf)).toEqual(
        portfolio.properties.map((property) => expectedCore(simulator, crm, property)),
      );
    });
  });
}

/** A new gateway is due immediately: the schedule or this request starts its first run. */
async function firstRun(product: Product, crm: SimulatedCrm): Promise<RunView | undefined> {
  await product.ingest(crm);
  const runs = await product.ops<RunView[]>('runs', '--crm', crm, '--client', 'agency');
  return runs.at(-1);
}

/** Every row that holds listings, with the newest transaction that wrote it. */
async function written({ db }: Product): Promise<unknown> {
  const tables = [
    'listing_version',
    'listing_normalized',
    'listing_raw',
    'current_listing',
    'snapshot',
    'snapshot_chunk',
  ];
  const counts: unknown[] = [];
  for (const table of tables) {
    counts.push(await db.query(`SELECT '${table}' AS table, count(*), max(xmin::text::bigint) FROM ${table}`));
  }
  return counts;
}

import { createSimulator, type Simulator } from '../../tools/simulator/simulator';
import { type Product, startProduct } from '../support/product';

// Real: two ingestors as built (one maps records in threads), PostgreSQL, the queue. Fake: the CRM.

const LISTINGS = 3_000;

describe('import of a large feed', () => {
  let simulator: Simulator;
  const products: Product[] = [];

  beforeAll(async () => {
    simulator = await createSimulator({ seed: 16, counts: { kyero: LISTINGS } });
    for (const threads of ['0', '2']) {
      products.push(await startProduct({ simulator, settings: { MAPPING_THREADS: threads } }));
    }
  });
  afterAll(async () => {
    await Promise.all(products.map((product) => product.stop()));
    await simulator.close();
  });

  const read = async (product: Product): Promise<object> => {
    await product.addGateway('kyero');
    const { state, added, warnings, rejected } = await product.ingest('kyero');
    const [texts] = await product.db.query(
      `SELECT md5(string_agg(concat(v.aff_id, n.body, r.body), '' ORDER BY v.id)) FROM listing_version v
       JOIN listing_normalized n ON n.version_id = v.id JOIN listing_raw r ON r.version_id = v.id`,
    );
    return { state, added, warnings, rejected, texts };
  };

  it('gives the same listings with one mapping thread and with several', async () => {
    const [alone, together] = await Promise.all(products.map((product) => read(product)));
    expect(alone).toMatchObject({ state: 'published', added: LISTINGS });
    expect(together).toEqual(alone);
    // Both ingestors must still work afterwards.
    for (const product of products) expect(await product.ingest('kyero')).toMatchObject({ state: 'unchanged' });
    for (const product of products) expect(product.ingestor().output()).not.toContain('has failed');
  });
});

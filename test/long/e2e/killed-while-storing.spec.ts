import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { isRunOver, type RunView } from '@passerelle/domain';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import type { GatewayClient } from '../../support/gateway-client';
import { type Product, startProduct } from '../../support/product';
import { eventually, until } from '../../support/waiting';

interface ShownRun extends RunView {
  warning_list: { code: string }[];
}

// Real: both processes as built, PostgreSQL, the queue, the media store on disk, kill -9. Fake: the CRM.
describe('ingestor that is killed while it stores photos', () => {
  let simulator: Simulator;
  let product: Product;
  let gateway: GatewayClient;

  beforeAll(async () => {
    simulator = await createSimulator({ seed: 14, counts: { poliris: 120 } });
    product = await startProduct({ simulator });
    gateway = await product.addGateway('poliris');
  });
  afterAll(async () => {
    await product.stop();
    await simulator.close();
  });

  const stored = (): string[] =>
    existsSync(product.mediaDir)
      ? readdirSync(product.mediaDir, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.writing'))
          .map(({ parentPath, name }) => join(parentPath, name))
      : [];

  /** Blocks every publication while `deed` runs, so that even a late kill interrupts a run. */
  async function beforePublication(deed: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: product.db.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      // This lock is weak enough for the run's inserts of rows that refer to the gateway.
      await client.query('SELECT FROM gateway FOR NO KEY UPDATE');
      await deed();
    } finally {
      await client.end();
    }
  }

  it('leaves no partial photo, and no page that names a missing photo', async () => {
    let id = 0;
    await beforePublication(async () => {
      ({ id } = await product.ops<RunView>('ingest', '--crm', 'poliris', '--client', 'agency'));
      await until(() => Promise.resolve(stored().length > 20));
      product.ingestor().signal('SIGKILL');
      await product.ingestor().ended;
      expect(await product.ops<RunView>('run', 'show', String(id))).toMatchObject({ state: 'running' });
    });
    for (const path of stored()) {
      const content = readFileSync(path);
      expect(path).toContain(createHash('sha256').update(content).digest('hex'));
    }
    await product.restartIngestor();
    const run = await eventually(async () => {
      const found = await product.ops<ShownRun>('run', 'show', String(id));
      return isRunOver(found.state) ? found : undefined;
    });

    expect(run).toMatchObject({ state: 'published', added: 120 });
    // Expect no warning about photos. Warnings about missing legal information may occur.
    expect(run.warning_list.filter(({ code }) => code !== 'duty_missing')).toEqual([]);
    const urls = (await gateway.readAll('normalized')).flatMap(({ photos }) => photos.map(({ url }) => url));
    const ours = urls.filter((url) => url.startsWith(`${product.apiUrl}/media/`));
    expect(ours.length).toBeGreaterThan(100);
    const answers = await Promise.all(ours.map(async (url) => (await fetch(url, { method: 'HEAD' })).status));
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});

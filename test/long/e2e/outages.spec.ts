import { isRunOver, type RunView } from '@passerelle/domain';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import { coreOf, expectedCore } from '../../support/expected-listing';
import type { GatewayClient } from '../../support/gateway-client';
import { type Product, startProduct } from '../../support/product';
import { testRedisUrl } from '../../support/test-redis';
import { eventually } from '../../support/waiting';

// Real: both processes as built, PostgreSQL, the queue. Fake: the CRM, and the network cable that the test unplugs.

const REDIS_URL = testRedisUrl();
const BACKENDS: [name: string, redisUrl: string | null][] = [
  ['PostgreSQL', null],
  ...(REDIS_URL === null ? [] : ([['Redis', REDIS_URL]] as [string, string][])),
];

describe.each(BACKENDS)('temporary loss of a server with the queue in %s', (_name, redisUrl) => {
  let simulator: Simulator;
  let database: BreakableLink;
  let queue: BreakableLink | null = null;
  let product: Product;
  let gateway: GatewayClient;

  beforeAll(async () => {
    simulator = await createSimulator({ seed: 17, counts: { kyero: 500 } });
    queue = redisUrl === null ? null : await linkTo(redisUrl);
    product = await startProduct({
      ...{ simulator, redisUrl: queue?.url ?? null },
      through: async (url) => (database = await linkTo(url)).url,
    });
    gateway = await product.addGateway('kyero');
    await product.ingest('kyero');
  });

  afterAll(async () => {
    await product.stop();
    await Promise.all([database.close(), queue?.close(), simulator.close()]);
  });

  const isReady = async (url: string): Promise<true | undefined> =>
    (await fetch(`${url}/health/ready`)).status === 200 || undefined;

  const expectTheWholeFeed = async (): Promise<void> => {
    await product.untilServed('kyero');
    const listings = await gateway.readAll('normalized', 200);
    const { properties } = simulator.portfolios.kyero;
    expect(listings.map(coreOf)).toEqual(properties.map((property) => expectedCore(simulator, 'kyero', property)));
  };

  it('database: no page shows fewer listings, and the requested run ends when the database is back', async () => {
    const before = await gateway.readBytes();
    simulator.portfolios.kyero.remove(simulator.portfolios.kyero.properties[3]!.id);
    const { id } = await product.ops<RunView>('ingest', '--crm', 'kyero', '--client', 'agency');
    await database.cut();

    const page = await gateway.get('/v1/properties', { per_page: '7', page: '3' });
    expect(page.status).toBe(500);
    expect(await page.json()).toMatchObject({ status: 'error', code: 'INTERNAL_ERROR' });
    for (const url of [product.apiUrl, product.opsUrl]) {
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect((await fetch(`${url}/health/ready`)).status).toBeGreaterThanOrEqual(500);
    }
    const refused = await product.tryOps('runs', '--crm', 'kyero', '--client', 'agency');
    expect(refused).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(refused.stdout)).toEqual({
      error: expect.stringMatching(/^the database at .* cannot be used/) as string,
    });

    await database.mend();
    await eventually(async () => isReady(product.apiUrl));
    await eventually(async () => isReady(product.opsUrl));
    const run = await eventually(async () => {
      const found = await product.ops<RunView>('run', 'show', String(id));
      return isRunOver(found.state) ? found : undefined;
    });
    expect(run).toMatchObject({ state: 'published', added: 0, removed: 1, unchanged: 499 });
    await expectTheWholeFeed();
    expect(await gateway.readBytes()).not.toBe(before);
  });

  if (redisUrl === null) return;

  it('queue: the API serves the same pages, and the requested run ends when the queue is back', async () => {
    const before = await gateway.readBytes();
    simulator.portfolios.kyero.add(0);
    await queue!.cut();
    expect(await gateway.readBytes()).toBe(before);
    expect((await fetch(`${product.apiUrl}/health/ready`)).status).toBe(200);
    expect((await fetch(`${product.opsUrl}/health/ready`)).status).toBeGreaterThanOrEqual(500);
    const { id } = await product.ops<RunView>('ingest', '--crm', 'kyero', '--client', 'agency');

    await queue!.mend();
    await eventually(async () => isReady(product.opsUrl));
    const run = await eventually(async () => {
      const found = await product.ops<RunView>('run', 'show', String(id));
      return isRunOver(found.state) ? found : undefined;
    });
    expect(run).toMatchObject({ state: 'published', added: 1, removed: 0 });
    await expectTheWholeFeed();
  });

  it('queue: an ingestor that stops meanwhile logs that it could not close the queue, and exits with 0', async () => {
    await queue!.cut();
    const bearer = { authorization: `Bearer ${product.secrets.opsToken}` };
    const metrics = async (): Promise<string> => (await fetch(`${product.opsUrl}/metrics`, { headers: bearer })).text();
    await eventually(async () => (await metrics()).includes('passerelle_queue_up 0') || undefined);
    const ingestor = product.ingestor();
    await ingestor.stop();
    const said = ingestor.output().split('"signal":"SIGTERM"')[1]!;
    // Ignore the log lines of a client that retried at that moment.
    expect(said.match(/"msg":"[^"]+"/g)?.filter((message) => !message.endsWith('; trying again"'))).toEqual([
      '"msg":"stopping"',
      '"msg":"the queue does not answer: stopping without closing its connection; runs wait in the database"',
      '"msg":"stopped"',
    ]);

    await queue!.mend();
    await product.restartIngestor();
    expect(await product.ingest('kyero')).toMatchObject({ state: 'unchanged' });
  });
});

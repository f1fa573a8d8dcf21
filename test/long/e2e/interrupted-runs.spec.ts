import { isRunOver, type RunView } from '@passerelle/domain';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { coreOf, expectedCore } from '../../support/expected-listing';
import type { GatewayClient } from '../../support/gateway-client';
import { startSite, type WebhookSite } from '../../medium/webhooks/webhook-site';
import { pauseFeed } from '../../support/paused-feed';
import { type Product, startProduct } from '../../support/product';
import { eventually } from '../../support/waiting';

// Real: both processes as built, PostgreSQL, the queue, HTTP on both sides, kill -9. Fake: the CRM and the site that receives webhooks.

describe('runs that overlap or are interrupted', () => {
  let simulator: Simulator;
  let product: Product;
  let gateway: GatewayClient;
  let site: WebhookSite;

  beforeAll(async () => {
    simulator = await createSimulator({ seed: 13, counts: { kyero: 2_000 } });
    site = await startSite();
    const settings = { ALLOW_PRIVATE_SOURCES: `${simulator.host},${site.hostAndPort}` };
    product = await startProduct({ simulator, settings });
    gateway = await product.addGateway('kyero');
  });

  afterAll(async () => {
    await product.stop();
    await Promise.all([simulator.close(), site.close()]);
  });

  const expectTheWholeFeed = async (): Promise<void> => {
    await product.untilServed('kyero');
    const listings = await gateway.readAll('normalized', 200);
    const { properties } = simulator.portfolios.kyero;
    expect(listings.map(coreOf)).toEqual(properties.map((property) => expectedCore(simulator, 'kyero', property)));
  };

  const runs = async (): Promise<RunView[]> => product.ops('runs', '--crm', 'kyero', '--client', 'agency');

  it('publish one complete snapshot when two runs start at the same time', async () => {
    const answers = await Promise.all([product.ingest('kyero'), product.ingest('kyero')]);

    expect(answers.map(({ state }) => state)).toEqual([
      expect.stringMatching(/^(published|unchanged)$/),
      expect.stringMatching(/^(published|unchanged)$/),
    ]);
    expect((await runs()).filter(({ state }) => state === 'published')).toHaveLength(1);
    await expectTheWholeFeed();
  });

  it('keep the old snapshot in service after a kill, and after the restart publish one complete new snapshot and repeat pending deliveries', async () => {
    const ofGateway = ['--crm', 'kyero', '--client', 'agency'];
    const webhook = await product.ops<{ id: number }>('webhook', 'add', ...ofGateway, '--url', site.url);
    const pages = await gateway.readBytes();
    simulator.portfolios.kyero.remove(simulator.portfolios.kyero.properties[3]!.id);
    simulator.portfolios.kyero.add(0);
    const pause = pauseFeed(simulator);
    const { id } = await product.ops<RunView>('ingest', '--crm', 'kyero', '--client', 'agency');
    await pause.reached;
    // The site does not answer before the process is killed.
    site.answer = () => undefined;
    const tested = product.tryOps('webhook', 'test', String(webhook.id), ...ofGateway);
    await eventually(() => Promise.resolve(site.arrivals[0]));

    product.ingestor().signal('SIGKILL');
    expect(await product.ingestor().ended).toBe('SIGKILL');
    site.answer = (response) => response.writeHead(204).end();
    simulator.behave();
    pause.resume();
    expect(await gateway.readBytes()).toBe(pages);
    await product.restartIngestor();

    const run = await eventually(async () => {
      const found = await product.ops<RunView>('run', 'show', String(id));
      return isRunOver(found.state) ? found : undefined;
    });
    expect(run).toMatchObject({ state: 'published', added: 1, removed: 1, changed: 0, unchanged: 1_999, reason: null });
    await expectTheWholeFeed();
    const [first, again, next] = await eventually(() => Promise.resolve(site.arrivals[2] && site.arrivals));
    const messages = [first, again, next].map((arrival) => (JSON.parse(arrival!.body) as { type: string }).type);
    expect(messages).toEqual(['webhook.test', 'webhook.test', 'list.published']);
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await tested;
  });

  it('go to another ingestor when their ingestor stops in the middle of a run and exits with 0', async () => {
    simulator.portfolios.kyero.add(0);
    const pause = pauseFeed(simulator);
    const { id } = await product.ops<RunView>('ingest', '--crm', 'kyero', '--client', 'agency');
    await pause.reached;

    await product.ingestor().stop();
    const pages = await gateway.readBytes();
    expect(await product.ops<RunView>('run', 'show', String(id))).toMatchObject({ state: 'running', attempts: 0 });
    simulator.behave();
    pause.resume();
    await product.restartIngestor();

    const run = await eventually(async () => {
      const found = await product.ops<RunView>('run', 'show', String(id));
      return isRunOver(found.state) ? found : undefined;
    });
    expect(run).toMatchObject({ state: 'published', attempts: 1, added: 1, removed: 0, unchanged: 2_000 });
    await expectTheWholeFeed();
    expect(await gateway.readBytes()).not.toBe(pages);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { generateWebhookSecret, SecretBox, WEBHOOK_DUE_CHANNEL, WEBHOOK_EVENTS } from '@passerelle/domain';
import pg from 'pg';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { addNotifiedGateways, NOTIFIED_SECRETS_KEY } from '../../support/notified-gateways';
import { type IngestorUnderTest, startIngestor } from '../ops-port/ingestor-under-test';
import { type Arrival, startSite, verified, type WebhookSite } from './webhook-site';
import { until } from '../../support/waiting';

const SECRETS_KEY = NOTIFIED_SECRETS_KEY;
/** More endpoints than an ingestor has slots. */
const SLOW = 130;

interface Gateway {
  id: number;
  endpointId: number;
  secret: string;
  path: string;
}

// Real: PostgreSQL, the ingestor, HTTP. Fake: the CRM and the sites.
describe('webhooks', () => {
  let site: WebhookSite;
  let ingestor: IngestorUnderTest;
  let gateways = 0;

  beforeAll(async () => {
    site = await startSite();
    const settings = { secretsKey: SECRETS_KEY, snapshotTtlSeconds: 3600 };
    const crm = { hostAndPort: '' };
    ingestor = await startIngestor({
      ...settings,
      allowPrivateSources: {
        has: (host: string) => host === site.hostAndPort || host === crm.hostAndPort,
      } as Set<string>,
    });
    crm.hostAndPort = ingestor.crm.hostAndPort;
  });
  beforeEach(() => {
    site.arrivals = [];
    site.answer = (response) => response.writeHead(204).end();
    give(3);
  });
  afterAll(async () => {
    await ingestor.close();
    await site.close();
  });

  const give = (count: number): void => {
    ingestor.crm.answer = { body: aKyeroFeed(ids(count).map((id) => aProperty(id))) };
  };
  const query = <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
    ingestor.testDatabase.query<T>(sql, values);
  async function addEndpoint(gatewayId: number, url: string): Promise<{ endpointId: number; secret: string }> {
    const secret = generateWebhookSecret();
    const sealed = new SecretBox(SECRETS_KEY).seal(secret);
    const added = await ingestor.database.webhookEndpoints.add({
      gatewayId,
      url,
      events: WEBHOOK_EVENTS,
      secret: sealed,
    });
    return { endpointId: added!.id, secret };
  }
  async function addGateway(url?: string): Promise<Gateway> {
    gateways += 1;
    const path = `/hook/${gateways}`;
    const id = await ingestor.addGateway({ client: `client-${gateways}` });
    return { id, path, ...(await addEndpoint(id, url ?? `http://${site.hostAndPort}${path}`)) };
  }
  /** Carries out a run, and waits for the steps after its end. */
  async function run({ id }: Gateway, forced = false): Promise<string> {
    const runId = await ingestor.database.runRequests.request({
      gatewayId: id,
      trigger: 'ops',
      ...(forced && { forced }),
    });
    let state = '';
    await until(async () => {
      const [row] = await query<{ state: string; isFree: boolean }>(
        `SELECT state, NOT EXISTS (SELECT FROM gateway_lease l WHERE l.gateway_id = run.gateway_id AND l.expires_at > now()) AS "isFree"
         FROM run WHERE id = $1 AND ended_at IS NOT NULL`,
        [runId],
      );
      state = row?.state ?? '';
      return row?.isFree === true;
    });
    return state;
  }
  const at = ({ path }: Gateway): Arrival[] => site.arrivals.filter((arrival) => arrival.path === path);
  const arrived = (gateway: Gateway, count: number): Promise<void> =>
    until(() => Promise.resolve(at(gateway).length >= count));
  const typesAt = (gateway: Gateway): string[] => at(gateway).map((arrival) => verified(arrival, gateway.secret).type);
  const states = async ({ endpointId }: Gateway): Promise<string[]> =>
    (await query<{ state: string }>('SELECT state FROM outbox WHERE endpoint_id = $1 ORDER BY id', [endpointId])).map(
      ({ state }) => state,
    );
  const endpoint = async ({ endpointId }: Gateway): Promise<Record<string, unknown>> =>
    (
      await query<Record<string, unknown>>(
        `SELECT disabled_reason, failures, extract(epoch FROM next_try_at - now())::float8 AS pause FROM webhook_endpoint WHERE id = $1`,
        [endpointId],
      )
    )[0]!;
  /**
   * Waits until no delivery is claimed, because the worker counts a failure at the endpoint before it writes the
   * delivery's own row.
   */
  const untilReleased = (endpointId: number): Promise<void> =>
    until(async () => {
      const claimed = await query('SELECT FROM outbox WHERE endpoint_id = $1 AND taken_until > now()', [endpointId]);
      return claimed.length === 0;
    });
  const untilFailed = async (gateway: Gateway, failures: number): Promise<void> => {
    await until(async () => (await endpoint(gateway))['failures'] === failures);
    await untilReleased(gateway.endpointId);
  };
  /** Ends the pause of the endpoint. */
  const tryNow = async ({ endpointId }: Gateway): Promise<void> => {
    await untilReleased(endpointId);
    await query(`UPDATE outbox SET next_try_at = '-infinity' WHERE endpoint_id = $1 AND state = 'pending'`, [
      endpointId,
    ]);
    await query('SELECT pg_notify($1, $2)', [WEBHOOK_DUE_CHANNEL, '']);
  };
  /** Moves the endpoint's first failure `hours` into the past. */
  const failingFor = ({ endpointId }: Gateway, hours: number) =>
    query(`UPDATE webhook_endpoint SET failing_since = now() - make_interval(hours => $2) WHERE id = $1`, [
      endpointId,
      hours,
    ]);

  it('notify a site of a new list within two seconds, with a signature that the reference implementation accepts', async () => {
    const gateway = await addGateway();
    expect(await run(gateway)).toBe('published');
    await arrived(gateway, 1);
    const [arrival] = at(gateway);
    const message = verified(arrival!, gateway.secret);
    expect(message).toEqual({
      type: 'list.published',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        ...{ crm: 'kyero', client: `client-${gateways}`, snapshot: expect.any(String), previous: null },
        ...{ total: 3, added: 3, changed: 0, removed: 0, approved: false, replaced: [] },
      },
    });
    expect(arrival!.atMs - Date.parse(message.timestamp)).toBeLessThan(2_000);
    expect(arrival!.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(arrival!.headers['content-type']).toBe('application/json');
    expect(arrival!.body.length).toBeLessThan(2_048);
    expect(() => verified(arrival!, generateWebhookSecret())).toThrow();
    await until(async () => (await states(gateway))[0] === 'delivered');
  });

  it('are sent once per event when a feed is held, fails and recovers', async () => {
    const gateway = await addGateway();
    await run(gateway);
    ingestor.crm.answer = { status: 404 };
    await run(gateway);
    await run(gateway);
    give(3);
    await run(gateway);
    give(0);
    expect(await run(gateway)).toBe('held');
    await run(gateway);
    give(3);
    await run(gateway);
    await arrived(gateway, 5);
    await sleep(1_500);
    expect(typesAt(gateway)).toEqual([
      'list.published',
      'feed.failing',
      'feed.recovered',
      'feed.held',
      'feed.recovered',
    ]);
    const { data } = verified(at(gateway)[1]!, gateway.secret);
    expect(data).toMatchObject({ crm: 'kyero', reason: expect.any(String), confirmed_at: expect.any(String) });
  });

  it('are sent when an operator publishes a held list, and when a list becomes stale', async () => {
    const gateway = await addGateway();
    await run(gateway);
    // Wait for the arrival, because newer messages replace waiting messages.
    await arrived(gateway, 1);
    give(0);
    await run(gateway);
    const [held] = await query<{ id: number }>(`SELECT id FROM run WHERE state = 'held' AND gateway_id = $1`, [
      gateway.id,
    ]);
    await ingestor.database.heldRuns.publish(held!.id, { by: 'operator', reason: 'all sold' });
    await arrived(gateway, 4);
    expect(typesAt(gateway)).toEqual(['list.published', 'feed.held', 'list.published', 'feed.recovered']);
    expect(verified(at(gateway)[2]!, gateway.secret).data).toMatchObject({ total: 0, removed: 3, approved: true });
    await query(`UPDATE gateway SET confirmed_at = now() - interval '61 minutes' WHERE id = $1`, [gateway.id]);
    await arrived(gateway, 5);
    expect(typesAt(gateway).at(-1)).toBe('feed.stale');
  });

  it('are sent in order, one at a time, and omit publications that a newer publication has replaced', async () => {
    const gateway = await addGateway();
    const held: (() => void)[] = [];
    site.answer = (response) => held.push(() => response.writeHead(204).end());
    await run(gateway);
    await arrived(gateway, 1);
    // More runs might last longer than an endpoint may take to answer.
    for (const count of [4, 6]) {
      give(count);
      await run(gateway);
    }
    await sleep(1_500);
    expect(held).toHaveLength(1);
    held[0]!();
    await arrived(gateway, 2);
    held[1]!();
    await until(async () => !(await states(gateway)).includes('pending'));
    expect(await states(gateway)).toEqual(['delivered', 'superseded', 'delivered']);
    expect(at(gateway).map((arrival) => verified(arrival, gateway.secret).data['total'])).toEqual([3, 6]);
  });

  it('are sent again with the same id after increasing pauses, and a success ends the pauses', async () => {
    const gateway = await addGateway();
    site.answer = (response) => response.writeHead(500).end('out\u0000 of order '.repeat(100));
    await run(gateway);
    await untilFailed(gateway, 1);
    expect((await endpoint(gateway))['pause']).toBeLessThan(6);
    await tryNow(gateway);
    await untilFailed(gateway, 2);
    expect((await endpoint(gateway))['pause']).toBeGreaterThan(50);
    const [log] = await ingestor.database.outboxLog.ofGateway(gateway.id, 5);
    expect(log).toMatchObject({ state: 'pending', tries: 2, status: 500, error: 'answered 500' });
    expect(log!.answer).toMatch(/^out of order /);
    expect(log!.answer).toHaveLength(300);
    site.answer = (response) => response.writeHead(200).end('ok');
    await tryNow(gateway);
    await until(async () => (await states(gateway))[0] === 'delivered');
    expect(await endpoint(gateway)).toMatchObject({ failures: 0, disabled_reason: null });
    expect(new Set(at(gateway).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('wait as long as Retry-After requires', async () => {
    const gateway = await addGateway();
    site.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end();
    await run(gateway);
    await untilFailed(gateway, 1);
    expect((await endpoint(gateway))['pause']).toBeGreaterThan(590);
    expect((await endpoint(gateway))['pause']).toBeLessThanOrEqual(600);
  });

  it('stop when the endpoint is gone or has failed for three days, and continue after a successful test', async () => {
    const gone = await addGateway();
    site.answer = (response) => response.writeHead(410).end();
    await run(gone);
    // The endpoint is disabled before the result of the message is stored.
    await until(async () => (await states(gone))[0] === 'failed');
    expect((await endpoint(gone))['disabled_reason']).toBe('gone');
    expect(await states(gone)).toHaveLength(1);
    await run(gone);
    give(5);
    await run(gone);
    expect(await states(gone)).toEqual(['failed']);

    const failing = await addGateway();
    site.answer = (response) => response.writeHead(503).end();
    await run(failing);
    await untilFailed(failing, 1);
    await failingFor(failing, 71);
    await tryNow(failing);
    await untilFailed(failing, 2);
    expect((await endpoint(failing))['disabled_reason']).toBeNull();
    await failingFor(failing, 73);
    await tryNow(failing);
    await until(async () => (await endpoint(failing))['disabled_reason'] === 'failing');
    expect(await states(failing)).toEqual(['failed']);

    site.answer = (response) => response.writeHead(204).end();
    await ingestor.database.webhookAdmin.test(failing.id, failing.endpointId);
    await until(async () => (await endpoint(failing))['disabled_reason'] === null);
    expect(typesAt(failing).at(-1)).toBe('webhook.test');
  });

  it('are abandoned after ten tries', async () => {
    const gateway = await addGateway();
    site.answer = (response) => response.writeHead(400).end();
    await run(gateway);
    for (let tries = 1; tries <= 10; tries += 1) {
      await untilFailed(gateway, tries);
      await tryNow(gateway);
    }
    await sleep(1_500);
    expect(await states(gateway)).toEqual(['failed']);
    expect(at(gateway)).toHaveLength(10);
  });

  it.each([
    ['status 307', 307, 'answered 307: redirects are not followed'],
    ['status 301', 301, 'answered 301: redirects are not followed'],
  ])('follow no redirect: %s', async (_what, status, error) => {
    const target = await startSite();
    const gateway = await addGateway();
    site.answer = (response) => response.writeHead(status, { location: target.url }).end();
    await run(gateway);
    await untilFailed(gateway, 1);
    const [log] = await ingestor.database.outboxLog.ofGateway(gateway.id, 1);
    expect(log).toMatchObject({ status, error });
    expect(target.arrivals).toEqual([]);
    await target.close();
  });

  it('are not sent to forbidden private addresses, whether given as a number or as a name', async () => {
    const target = await startSite();
    const port = target.hostAndPort.split(':')[1]!;
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const gateway = await addGateway(`http://${host}:${port}/hook`);
      await run(gateway);
      await untilFailed(gateway, 1);
      const [log] = await ingestor.database.outboxLog.ofGateway(gateway.id, 1);
      expect(log!.error).toBe('not sent: it is not a public address, and ALLOW_PRIVATE_SOURCES does not name it');
    }
    expect(target.arrivals).toEqual([]);
    await target.close();
  });

  it('are delivered although an answer never ends, and read only its beginning', async () => {
    const gateway = await addGateway();
    let written = 0;
    site.answer = (response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536;
      };
      response.on('drain', write);
      write();
    };
    await run(gateway);
    await until(async () => (await states(gateway))[0] === 'delivered');
    const [log] = await ingestor.database.outboxLog.ofGateway(gateway.id, 1);
    expect(log!.answer).toBe('x'.repeat(300));
    expect(written).toBeLessThan(16 * 1024 ** 2);
  });

  it('wait for unresponsive endpoints without delaying messages to other endpoints', async () => {
    const gateway = await addGateway();
    const hung: (() => void)[] = [];
    site.answer = (response, { path }) => {
      const answer = (): void => void response.writeHead(204).end();
      if (path.startsWith('/slow/')) hung.push(answer);
      else answer();
    };
    const client = new pg.Client({ connectionString: ingestor.testDatabase.url });
    await client.connect();
    await addNotifiedGateways(client, { count: SLOW, urlOf: (n) => `http://${site.hostAndPort}/slow/${n}` });
    await client.end();
    await query(
      `INSERT INTO outbox (gateway_id, endpoint_id, kind, type, data)
       SELECT e.gateway_id, e.id, 'webhook', 'feed.held', '{}' FROM webhook_endpoint e JOIN gateway g ON g.id = e.gateway_id
       WHERE g.client LIKE 'told-%'`,
    );
    await until(() => Promise.resolve(hung.length > 100));
    const startedMs = Date.now();
    await ingestor.database.webhookAdmin.test(gateway.id, gateway.endpointId);
    await arrived(gateway, 1);
    expect(Date.now() - startedMs).toBeLessThan(8_000);
    await until(() => Promise.resolve(hung.length === SLOW));
    for (const answer of hung) answer();
    const slowPending = `SELECT FROM outbox d JOIN webhook_endpoint e ON e.id = d.endpoint_id
      WHERE e.url LIKE '%/slow/%' AND d.state = 'pending'`;
    await until(async () => (await query(slowPending)).length === 0);
  });

  it('are signed with both secrets during a rotation', async () => {
    const gateway = await addGateway();
    const newer = generateWebhookSecret();
    const box = new SecretBox(SECRETS_KEY);
    await ingestor.database.webhookAdmin.rotate(gateway.id, gateway.endpointId, box.seal(newer), 3600);
    await run(gateway);
    await arrived(gateway, 1);
    const [both] = at(gateway);
    expect(both!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(verified(both!, gateway.secret)).toEqual(verified(both!, newer));
    await query(`UPDATE webhook_endpoint SET old_secret_until = now() WHERE id = $1`, [gateway.endpointId]);
    await ingestor.database.webhookAdmin.test(gateway.id, gateway.endpointId);
    await arrived(gateway, 2);
    expect(() => verified(at(gateway)[1]!, gateway.secret)).toThrow();
    expect(verified(at(gateway)[1]!, newer).type).toBe('webhook.test');
  });

  it('are sent again when the process was killed during a delivery', async () => {
    const gateway = await addGateway();
    const takenFor = (time: string) =>
      query(
        `UPDATE outbox SET taken_until = now() + $2::interval, fence = 7 WHERE endpoint_id = $1 AND state = 'pending'`,
        [gateway.endpointId, time],
      );
    const added = await query<{ id: number }>(
      `INSERT INTO outbox (gateway_id, endpoint_id, kind, type, data, taken_until)
       VALUES ($1, $2, 'webhook', 'feed.held', '{}', now() + interval '1 hour') RETURNING id`,
      [gateway.id, gateway.endpointId],
    );
    // The test waits for the earlier message.
    await ingestor.database.webhookAdmin.test(gateway.id, gateway.endpointId);
    await until(
      async () => (await query(`SELECT FROM outbox WHERE next_try_at > now() AND type = 'webhook.test'`)).length === 1,
    );
    expect([added.length, at(gateway)]).toEqual([1, []]);
    await takenFor('1 second');
    await query(`UPDATE outbox SET next_try_at = '-infinity' WHERE endpoint_id = $1`, [gateway.endpointId]);
    await arrived(gateway, 2);
    await until(async () => (await states(gateway)).every((state) => state === 'delivered'));
  });

  it('keep their id when they are replayed', async () => {
    const gateway = await addGateway();
    await run(gateway);
    await until(async () => (await states(gateway))[0] === 'delivered');
    const [log] = await ingestor.database.outboxLog.ofGateway(gateway.id, 1);
    expect(await ingestor.database.webhookAdmin.replay(gateway.id + 1_000, log!.id)).toBeNull();
    await ingestor.database.webhookAdmin.replay(gateway.id, log!.id);
    await arrived(gateway, 2);
    const [first, second] = at(gateway).map(({ headers, body }) => ({ id: headers['webhook-id'], body }));
    expect(second).toEqual(first);
  });

  it('are kept for 30 days after delivery, and longer while they wait', async () => {
    const gateway = await addGateway();
    await run(gateway);
    await until(async () => (await states(gateway))[0] === 'delivered');
    const prune = () => ingestor.database.outbox.prune('webhook', 30);
    await query(`UPDATE outbox SET ended_at = now() - interval '29 days' WHERE gateway_id = $1`, [gateway.id]);
    await prune();
    expect(await states(gateway)).toEqual(['delivered']);
    site.answer = (response) => response.writeHead(500).end();
    give(4);
    await run(gateway);
    await query(
      `UPDATE outbox SET at = now() - interval '31 days', ended_at = ended_at - interval '2 days' WHERE gateway_id = $1`,
      [gateway.id],
    );
    await prune();
    expect(await states(gateway)).toEqual(['pending']);
  });

  it('are limited to five endpoints per gateway, even with concurrent requests', async () => {
    const gateway = await addGateway();
    const urls = Array.from({ length: 12 }, (_, n) => `http://${site.hostAndPort}/one-of-many/${n}`);
    const secret = Buffer.alloc(40);
    const added = await Promise.all(
      urls.map((url) =>
        ingestor.database.webhookEndpoints.add({ gatewayId: gateway.id, url, events: ['feed.held'], secret }),
      ),
    );
    expect(added.filter((one) => one !== null)).toHaveLength(4);
    const [again] = added.filter((one) => one !== null);
    expect(
      await ingestor.database.webhookEndpoints.add({
        gatewayId: gateway.id,
        url: again!.url,
        events: ['feed.held'],
        secret,
      }),
    ).not.toBeNull();
    expect(await ingestor.database.webhookEndpoints.list(gateway.id)).toHaveLength(5);
  });
});

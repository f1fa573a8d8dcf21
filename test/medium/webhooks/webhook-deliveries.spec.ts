import { setTimeout as sleep } from 'node:timers/promises';
import type { TryOutcome } from '@passerelle/database';
import pg from 'pg';
import { addToldGateways } from '../../support/told-gateways';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const ARRIVED: TryOutcome = { status: 204, ms: 1, answer: '', error: null };
const FAILED: TryOutcome = { status: 500, ms: 1, answer: '', error: 'answered 500' };
const PAUSE = { pauseMs: 60_000, isGone: false, isOurs: false };
const LEASE_SECONDS = 30;

// Real: PostgreSQL. The tests take the part of those who send.
describe('a message that waits for an endpoint', () => {
  let db: TestDatabase;
  let other: pg.Client;
  let endpointId: number;
  let gatewayId: number;
  let path = 0;

  beforeAll(async () => {
    db = await createTestDatabase();
    other = new pg.Client({ connectionString: db.url });
    await other.connect();
    const { gateways } = await addToldGateways(other, { count: 20, urlOf: (n) => `https://site.example/${n}` });
    endpoints.push(...gateways.map(({ id, endpointId: of }) => ({ id, endpointId: of })));
  });
  beforeEach(async () => {
    await db.query('TRUNCATE webhook_event CASCADE');
    ({ id: gatewayId, endpointId } = endpoints[path]!);
    path += 1;
  });
  afterAll(async () => {
    await other.end();
    await db.drop();
  });

  const endpoints: { id: number; endpointId: number }[] = [];
  const deliveries = () => db.database.webhookDeliveries;
  const tell = (...types: string[]): Promise<{ id: number }[]> =>
    db.query<{ id: number }>(
      `WITH event AS (
         INSERT INTO webhook_event (gateway_id, type, data) SELECT $1, type, '{}' FROM unnest($3::text[]) AS type RETURNING id
       )
       INSERT INTO webhook_delivery (endpoint_id, event_id) SELECT $2, id FROM event ORDER BY id RETURNING id`,
      [gatewayId, endpointId, types],
    );
  const takeNew = (newest = 100) => db.database.dueWebhooks.takeNew({ limit: 500, seconds: 60, newest });
  const takeDue = (mostFailing = 20) => db.database.dueWebhooks.takeDue({ limit: 500, seconds: 60, mostFailing });
  const states = async (): Promise<string[]> =>
    (
      await db.query<{ state: string }>('SELECT state FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id', [
        endpointId,
      ])
    ).map(({ state }) => state);
  /** Nobody sends to the endpoint. */
  const isFree = async (): Promise<boolean> =>
    (
      await db.query<{ isFree: boolean }>(
        'SELECT taken_until <= now() AS "isFree" FROM webhook_endpoint WHERE id = $1',
        [endpointId],
      )
    )[0]!.isFree;

  it('is brought to the queue when it is new, and then only once', async () => {
    await tell('feed.held', 'feed.recovered');
    expect((await takeNew()).map(({ endpointId: id }) => id)).toEqual([endpointId]);
    expect([await takeNew(), await takeDue()]).toEqual([[], []]);
  });

  it('is brought to the queue by a look through all of it, where it is not among the newest or the endpoint fails', async () => {
    await tell('feed.held');
    const failing = endpoints[path]!;
    path += 1;
    await db.query(`UPDATE webhook_endpoint SET failures = 1, next_try_at = now() WHERE id = $1`, [failing.endpointId]);
    await db.query(
      `WITH event AS (INSERT INTO webhook_event (gateway_id, type, data) VALUES ($1, 'feed.held', '{}') RETURNING id)
       INSERT INTO webhook_delivery (endpoint_id, event_id) SELECT $2, id FROM event`,
      [failing.id, failing.endpointId],
    );
    expect([await takeNew(1), await takeDue(0)]).toEqual([[], [{ endpointId, fence: 0 }]]);
    expect(await takeDue(1)).toEqual([{ endpointId: failing.endpointId, fence: 0 }]);
  });

  it('is given one after the other to who has taken the endpoint, and the last one lets it go', async () => {
    const [first, second] = await tell('feed.held', 'feed.recovered');
    const { endpoint, next } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    expect(next?.id).toBe(first!.id);
    expect(await deliveries().take(endpointId, LEASE_SECONDS)).toBeNull();
    const after = await deliveries().noteDelivered(endpoint, first!.id, ARRIVED, LEASE_SECONDS);
    expect([after?.id, await isFree()]).toEqual([second!.id, false]);
    expect(await deliveries().noteDelivered(endpoint, second!.id, ARRIVED, LEASE_SECONDS)).toBeNull();
    expect([await isFree(), await states()]).toEqual([true, ['delivered', 'delivered']]);
  });

  it('is not given to two: what arrived while the second one asked is not sent again', async () => {
    const [first, second] = await tell('feed.held', 'feed.recovered');
    // Whose time is over, and who sends still.
    await db.query(`UPDATE webhook_endpoint SET taken_until = now() WHERE id = $1`, [endpointId]);
    await other.query('BEGIN');
    await other.query(`UPDATE webhook_delivery SET state = 'delivered' WHERE id = $1`, [first!.id]);
    await other.query(`UPDATE webhook_endpoint SET taken_until = '-infinity' WHERE id = $1`, [endpointId]);
    const taking = deliveries().take(endpointId, LEASE_SECONDS);
    await sleep(500);
    await other.query('COMMIT');
    expect([(await taking)?.next?.id, await states()]).toEqual([second!.id, ['delivered', 'pending']]);
  });

  it('is not given to one whose time was over, nor is what it says of the endpoint believed', async () => {
    const [first] = await tell('feed.held', 'feed.recovered');
    const { endpoint: late } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    await db.query(`UPDATE webhook_endpoint SET taken_until = '-infinity' WHERE id = $1`, [endpointId]);
    const { endpoint } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    expect(endpoint.fence).toBe(late.fence + 1);
    expect(await deliveries().noteDelivered(late, first!.id, ARRIVED, LEASE_SECONDS)).toBeNull();
    expect(await isFree()).toBe(false);
    await deliveries().noteFailed(late, { id: first!.id, type: 'feed.held' }, FAILED, PAUSE);
    expect([await isFree(), await states()]).toEqual([false, ['delivered', 'pending']]);
  });

  it('waits for the pause after a failure, which lets the endpoint go', async () => {
    const [first] = await tell('feed.held');
    const { endpoint } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    expect(await deliveries().noteFailed(endpoint, { id: first!.id, type: 'feed.held' }, FAILED, PAUSE)).toBe(false);
    expect([await isFree(), await deliveries().take(endpointId, LEASE_SECONDS)]).toEqual([true, null]);
  });

  it('leaves out a publication that a newer one follows, also behind the one that has just arrived', async () => {
    const [first] = await tell('list.published');
    const { endpoint } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    const newer = await tell('list.published', 'list.published', 'feed.held', 'list.published');
    const next = await deliveries().noteDelivered(endpoint, first!.id, ARRIVED, LEASE_SECONDS);
    expect(next?.id).toBe(newer[2]!.id);
    const last = await deliveries().noteDelivered(endpoint, next!.id, ARRIVED, LEASE_SECONDS);
    expect(last?.id).toBe(newer[3]!.id);
    expect(await states()).toEqual(['delivered', 'superseded', 'superseded', 'delivered', 'pending']);
  });

  it('is given up when the endpoint is gone', async () => {
    const [first] = await tell('feed.held', 'feed.recovered', 'list.published');
    const { endpoint } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    const isGone = { ...PAUSE, isGone: true };
    expect(await deliveries().noteFailed(endpoint, { id: first!.id, type: 'feed.held' }, FAILED, isGone)).toBe(true);
    const log = await db.query('SELECT state, tries, error FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id', [
      endpointId,
    ]);
    const givenUp = { state: 'failed', tries: 0, error: 'the endpoint is disabled' };
    expect(log).toEqual([{ state: 'failed', tries: 1, error: 'answered 500' }, givenUp, givenUp]);
  });

  it('changes nothing about an endpoint that is disabled when it is a test that fails', async () => {
    await db.query(`UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'gone' WHERE id = $1`, [
      endpointId,
    ]);
    const [first] = await tell('webhook.test', 'feed.held');
    const { endpoint } = (await deliveries().take(endpointId, LEASE_SECONDS))!;
    expect(await deliveries().noteFailed(endpoint, { id: first!.id, type: 'webhook.test' }, FAILED, PAUSE)).toBe(false);
    expect(await states()).toEqual(['failed', 'pending']);
    await deliveries().release(endpoint);
    expect((await deliveries().take(endpointId, LEASE_SECONDS))?.next?.type).toBe('feed.held');
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedDelivery } from '@passerelle/database';
import pg from 'pg';
import { addNotifiedGateways } from '../../support/notified-gateways';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const FAILED = { status: 500, error: 'answered 500', pauseMs: 60_000, isFinal: false };
const TERMS = {
  ...({ kind: 'webhook', orderKey: 'endpoint', limit: 500, retriedLimit: 20, seconds: 30 } as const),
  ...{ urgent: ['webhook.test'], latestOnly: ['list.published'] },
};

// Real: PostgreSQL. The tests act as the workers.
describe('outbox', () => {
  let db: TestDatabase;
  let other: pg.Client;
  let gatewayId: number;
  let endpointId: number;
  const endpoints: { id: number; endpointId: number }[] = [];
  let next = 0;

  beforeAll(async () => {
    db = await createTestDatabase();
    other = new pg.Client({ connectionString: db.url });
    await other.connect();
    const { gateways } = await addNotifiedGateways(other, { count: 20, urlOf: (n) => `https://site.example/${n}` });
    endpoints.push(...gateways);
  });
  beforeEach(async () => {
    await db.query('TRUNCATE outbox');
    ({ id: gatewayId, endpointId } = endpoints[next++]!);
  });
  afterAll(async () => {
    await other.end();
    await db.drop();
  });

  const outbox = () => db.database.outbox;
  const add = async (...types: string[]): Promise<number[]> =>
    (
      await db.query<{ id: number }>(
        `INSERT INTO outbox (gateway_id, endpoint_id, kind, type, data)
         SELECT $1, $2, 'webhook', type, '{}' FROM unnest($3::text[]) WITH ORDINALITY t (type, n) ORDER BY n RETURNING id`,
        [gatewayId, endpointId, types],
      )
    ).map(({ id }) => id);
  const take = (terms: object = {}): Promise<ClaimedDelivery[]> => outbox().claim({ ...TERMS, ...terms });
  const takeIds = async (terms: object = {}): Promise<number[]> => (await take(terms)).map(({ id }) => id);
  const states = async (): Promise<string[]> =>
    (await db.query<{ state: string }>('SELECT state FROM outbox ORDER BY id')).map(({ state }) => state);
  const due = (): Promise<unknown> => db.query(`UPDATE outbox SET next_try_at = '-infinity' WHERE state = 'pending'`);

  it('gives one delivery per order key at a time, oldest first', async () => {
    const [first, second] = await add('feed.held', 'feed.recovered');
    const [taken] = await take();
    expect(taken).toMatchObject({ id: first, fence: 1, gatewayId, endpointId, type: 'feed.held', tries: 0 });
    expect(await takeIds()).toEqual([]);
    expect(await outbox().noteDelivered(taken!, 'endpoint', { status: 204 })).toBe(true);
    const [after] = await take();
    expect(after?.id).toBe(second);
    expect(await outbox().noteDelivered(after!, 'endpoint')).toBe(false);
    expect(await states()).toEqual(['delivered', 'delivered']);
  });

  it('gives nothing for an order key while another process has locked one of its rows', async () => {
    const [first] = await add('list.published');
    await other.query('BEGIN');
    await other.query('SELECT FROM outbox WHERE id = $1 FOR UPDATE', [first]);
    await add('list.published');
    expect(await takeIds()).toEqual([]);
    await other.query('COMMIT');
    expect(await takeIds()).toHaveLength(1);
    expect(await states()).toEqual(['superseded', 'pending']);
  });

  it('skips a row that another process delivers meanwhile', async () => {
    const [first, second] = await add('feed.held', 'feed.recovered');
    await other.query('BEGIN');
    await other.query(`UPDATE outbox SET state = 'delivered', ended_at = now() WHERE id = $1`, [first]);
    const taking = takeIds();
    await sleep(200);
    await other.query('COMMIT');
    expect([await taking, await takeIds()].flat()).toEqual([second]);
  });

  it('pauses the order key after a failure, and applies the pause to newer deliveries', async () => {
    const [first] = await add('list.published');
    const [taken] = await take();
    await outbox().noteFailed(taken!, FAILED);
    const [second] = await add('list.published');
    expect(await takeIds()).toEqual([]);
    await due();
    expect(await takeIds()).toEqual([second]);
    expect([first, ...(await states())]).toEqual([first, 'superseded', 'pending']);
  });

  it('delivers a test message despite the pause, and then ends the pause', async () => {
    const [first] = await add('feed.held', 'feed.recovered');
    await outbox().noteFailed((await take())[0]!, FAILED);
    const [test] = await add('webhook.test');
    const [taken] = await take();
    expect(taken?.id).toBe(test);
    await outbox().noteDelivered(taken!, 'endpoint');
    expect(await takeIds()).toEqual([first]);
  });

  it('gives all other deliveries before those that a receiver has refused three times', async () => {
    const [refused, following] = await add('feed.held', 'feed.recovered');
    await db.query('UPDATE outbox SET tries = 3, status = 400, next_try_at = now() + $2::interval WHERE id = $1', [
      refused,
      '1 hour',
    ]);
    expect(await takeIds()).toEqual([following]);
  });

  it('limits the number of failing deliveries in progress, and still gives other deliveries', async () => {
    await add('feed.held');
    await outbox().noteFailed((await take())[0]!, FAILED);
    await due();
    ({ id: gatewayId, endpointId } = endpoints[next++]!);
    const [fresh] = await add('feed.held');
    expect(await takeIds({ retriedLimit: 0 })).toEqual([fresh]);
    expect(await takeIds()).toHaveLength(1);
  });

  it('gives a due row although many earlier rows must still wait', async () => {
    await add(...Array.from({ length: 12 }, () => 'feed.held'));
    expect(await take({ limit: 5 })).toHaveLength(1);
    ({ id: gatewayId, endpointId } = endpoints[next++]!);
    const [fresh] = await add('feed.held');
    const found = [
      ...(await takeIds({ limit: 5 })),
      ...(await takeIds({ limit: 5 })),
      ...(await takeIds({ limit: 5 })),
    ];
    expect(found).toEqual([fresh]);
  });

  it('accepts a success, but no failure, from a process whose lease is over', async () => {
    await add('feed.held');
    const [late] = await take();
    await db.query(`UPDATE outbox SET taken_until = '-infinity'`);
    const [taken] = await take();
    expect(taken?.fence).toBe((late?.fence ?? 0) + 1);
    await outbox().noteFailed(late!, { ...FAILED, isFinal: true });
    expect(await states()).toEqual(['pending']);
    await outbox().noteDelivered(late!, 'endpoint');
    expect(await states()).toEqual(['delivered']);
  });

  it('abandons the remaining messages of an endpoint that is gone', async () => {
    const [first] = await add('feed.held', 'feed.recovered');
    const [taken] = await take();
    const terms = { pauseMs: 60_000, isGone: true, isOurs: false, isTest: false };
    expect(await db.database.webhookTargets.noteFailing(endpointId, first!, terms)).toBe(true);
    await outbox().noteFailed(taken!, { ...FAILED, isFinal: true });
    expect(await db.query('SELECT state, tries, error FROM outbox ORDER BY id')).toEqual([
      { state: 'failed', tries: 1, error: 'answered 500' },
      { state: 'failed', tries: 0, error: 'the endpoint is disabled' },
    ]);
  });

  it('stores a lead once, even if the table of the previous release already contains it', async () => {
    const lead = { gatewayId, token: randomUUID(), affId: 'A', sealed: Buffer.from('sealed') };
    const add1 = () => db.database.receivedLeads.add(lead);
    const received = await add1();
    expect(received).toMatch(/^\d{4}-/);
    expect(await add1()).toBe(received);
    await db.query('INSERT INTO lead (gateway_id, token, sealed) VALUES ($1, $2, $3)', [gatewayId, randomUUID(), '']);
    const [{ token } = { token: '' }] = await db.query<{ token: string }>('SELECT token FROM lead');
    expect(await db.database.receivedLeads.add({ ...lead, token })).not.toBeNull();
    expect(await db.query('SELECT FROM outbox')).toHaveLength(1);
    await db.query('DELETE FROM lead');
  });
});

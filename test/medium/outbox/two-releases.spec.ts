import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { addNotifiedGateways } from '../../support/notified-gateways';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The statements by which the previous release takes its rows. */
const PREVIOUS = {
  leads: `WITH due AS MATERIALIZED (
      SELECT id FROM lead WHERE delivered_at IS NULL AND next_try_at <= now() AND taken_until <= now()
      ORDER BY next_try_at, id LIMIT 20 FOR UPDATE SKIP LOCKED
    )
    UPDATE lead l SET fence = fence + 1, taken_until = now() + interval '120 seconds' FROM due WHERE l.id = due.id RETURNING l.id`,
  feedback: `WITH due AS MATERIALIZED (
      SELECT gateway_id FROM source_feedback_due WHERE next_try_at <= now() AND taken_until <= now() LIMIT 10 FOR UPDATE SKIP LOCKED
    )
    UPDATE source_feedback_due d SET fence = fence + 1, taken_until = now() + interval '120 seconds' FROM due
    WHERE d.gateway_id = due.gateway_id RETURNING d.gateway_id`,
  endpoint: `UPDATE webhook_endpoint SET fence = fence + 1, taken_until = now() + interval '30 seconds', announced_until = '-infinity'
    WHERE id = $1 AND taken_until <= now() AND next_try_at <= now() RETURNING id`,
};

// Real: PostgreSQL, the functions and triggers of the migration. The tests act as the processes of both releases.
describe('outbox of two releases on one database', () => {
  let db: TestDatabase;
  let gatewayId: number;
  let endpointId: number;

  beforeAll(async () => {
    db = await createTestDatabase();
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    const { gateways } = await addNotifiedGateways(client, { count: 1, urlOf: () => 'https://site.example/' });
    await client.end();
    ({ id: gatewayId, endpointId } = gateways[0]!);
  });
  beforeEach(async () => {
    await db.query('TRUNCATE outbox, lead, webhook_event, source_feedback_due CASCADE');
    await db.query(
      `UPDATE webhook_endpoint SET taken_until = '-infinity', next_try_at = '-infinity', failures = 0, disabled_at = NULL, disabled_reason = NULL`,
    );
    await db.query(`UPDATE installation SET outbox_served_until = '-infinity'`);
  });
  afterAll(() => db.drop());

  const count = async (table: string, which = 'true'): Promise<number> =>
    (await db.query(`SELECT FROM ${table} WHERE ${which}`)).length;
  const previousLead = (token: string, more = '') =>
    db.query(
      `INSERT INTO lead (gateway_id, token, aff_id, sealed, tries, next_try_at, error)
       VALUES ($1, $2, 'A', '\\x01', 3, now() + interval '1 hour', 'it waits') ${more}`,
      [gatewayId, token],
    );
  const previousMessage = (messageId: string, state = 'pending') =>
    db.query(
      `WITH event AS (
         INSERT INTO webhook_event (message_id, gateway_id, type, data) VALUES ($1, $2, 'list.published', '{"total":7}') RETURNING id
       )
       INSERT INTO webhook_delivery (endpoint_id, event_id, state, tries, ended_at)
       SELECT $3, id, $4, 2, CASE WHEN $4 <> 'pending' THEN now() END FROM event`,
      [messageId, gatewayId, endpointId, state],
    );
  const takeOver = () => db.database.outbox.takeOver();
  /** Simulates a minute without processes of this release. */
  const leave = () => db.query(`UPDATE installation SET outbox_served_until = now() - interval '1 second'`);
  const previousTick = () => db.query(PREVIOUS.leads);
  const inOutbox = () =>
    db.query(
      `SELECT kind, message_id, state, tries, error, data, sealed, aff_id, next_try_at > now() AS pauses FROM outbox ORDER BY kind, id`,
    );

  it('takes over rows in progress once, with their ids, tries and pauses', async () => {
    const token = randomUUID();
    await previousLead(token);
    await previousMessage('msg_a', 'delivered');
    await previousMessage('msg_b');
    await db.query(`UPDATE webhook_endpoint SET next_try_at = now() + interval '1 hour', failures = 2`);
    await db.query(
      `INSERT INTO source_feedback_due (gateway_id, tries, error, next_try_at) VALUES ($1, 4, 'answered 503', now() + interval '1 hour')`,
      [gatewayId],
    );
    await takeOver();
    await takeOver();
    const webhook = { kind: 'webhook', error: null, data: { total: 7 }, sealed: null, aff_id: null, tries: 2 };
    const moved = await inOutbox();
    expect(moved).toHaveLength(4);
    expect(moved).toEqual(
      expect.arrayContaining([
        {
          ...{ kind: 'feedback', message_id: expect.any(String), state: 'pending', tries: 4, error: 'answered 503' },
          ...{ data: null, sealed: null, aff_id: null, pauses: true },
        },
        {
          ...{ kind: 'lead', message_id: token, state: 'pending', tries: 3, error: 'it waits', data: null },
          ...{ sealed: Buffer.from([1]), aff_id: 'A', pauses: true },
        },
        { ...webhook, message_id: 'msg_a', state: 'delivered', pauses: false },
        { ...webhook, message_id: 'msg_b', state: 'pending', pauses: true },
      ]),
    );
    for (const table of ['lead', 'webhook_delivery', 'webhook_event', 'source_feedback_due'])
      expect([table, await count(table)]).toEqual([table, 0]);
  });

  it('leaves a row to a process of the previous release until that process releases the row', async () => {
    await previousLead(randomUUID());
    await db.query(`UPDATE lead SET next_try_at = '-infinity'`);
    await previousMessage('msg_c');
    await db.query('INSERT INTO source_feedback_due (gateway_id) VALUES ($1)', [gatewayId]);
    expect(await previousTick()).toHaveLength(1);
    expect(await db.query(PREVIOUS.endpoint, [endpointId])).toHaveLength(1);
    expect(await db.query(PREVIOUS.feedback)).toHaveLength(1);
    await takeOver();
    expect(await count('outbox')).toBe(0);
    // A run of this release adds no copy of a message that the previous release sends.
    await db.query(
      `INSERT INTO source_feedback (gateway_id, listing, status) VALUES ($1, 'A', 'shown') ON CONFLICT DO NOTHING`,
      [gatewayId],
    );
    await db.database.sourceFeedback.wake(gatewayId);
    expect(await count('outbox')).toBe(0);
    await db.query(`UPDATE webhook_endpoint SET taken_until = '-infinity'`);
    await db.query(`UPDATE source_feedback_due SET taken_until = '-infinity'`);
    await takeOver();
    expect(await count('outbox', `kind = 'webhook'`)).toBe(1);
    expect(await count('outbox', `kind = 'feedback'`)).toBe(1);
    expect(await count('lead')).toBe(1);
  });

  it('returns no rows to the previous release while a process of this release runs', async () => {
    await takeOver();
    await previousLead(randomUUID());
    await takeOver();
    expect(await previousTick()).toEqual([]);
    expect([await count('lead'), await count('outbox')]).toEqual([0, 1]);
    // A run of the previous release finds new results for a source that already has a row in the outbox.
    await db.query(`INSERT INTO outbox (gateway_id, kind, type) VALUES ($1, 'feedback', 'feedback')`, [gatewayId]);
    await db.query('INSERT INTO source_feedback_due (gateway_id) VALUES ($1) ON CONFLICT DO NOTHING', [gatewayId]);
    expect(await count('source_feedback_due')).toBe(0);
  });

  it('returns all rows to the previous release after a minute without processes of this release, and later takes them over again', async () => {
    const token = randomUUID();
    await db.database.receivedLeads.add({ gatewayId, token, affId: 'A', sealed: Buffer.from([1]) });
    await previousMessage('msg_d', 'delivered');
    await previousMessage('msg_e');
    await takeOver();
    await db.query(`INSERT INTO outbox (gateway_id, kind, type, tries) VALUES ($1, 'feedback', 'feedback', 2)`, [
      gatewayId,
    ]);
    await db.query(`UPDATE outbox SET taken_until = now() + interval '1 minute' WHERE message_id = 'msg_e'`);
    await leave();
    await previousTick();
    expect(await db.query('SELECT token, aff_id, sealed, tries FROM lead')).toEqual([
      { token, aff_id: 'A', sealed: Buffer.from([1]), tries: 0 },
    ]);
    expect(await db.query('SELECT tries FROM source_feedback_due')).toEqual([{ tries: 2 }]);
    // A hanging process may still send this message.
    expect(await count('outbox')).toBe(1);
    await db.query(`UPDATE outbox SET taken_until = '-infinity'`);
    // The previous release's tick finds the lead in its own table.
    expect(await previousTick()).toHaveLength(1);
    expect(await count('outbox')).toBe(0);
    const messages = () =>
      db.query(
        `SELECT v.message_id, v.type, v.data, d.state, d.tries, d.endpoint_id FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
         ORDER BY v.message_id`,
      );
    const both = { type: 'list.published', data: { total: 7 }, tries: 2, endpoint_id: endpointId };
    expect(await messages()).toEqual([
      { ...both, message_id: 'msg_d', state: 'delivered' },
      { ...both, message_id: 'msg_e', state: 'pending' },
    ]);
    await db.query(`UPDATE lead SET taken_until = '-infinity'`);
    await takeOver();
    expect([await count('outbox'), await count('lead'), await count('webhook_delivery')]).toEqual([4, 0, 0]);
  });
});

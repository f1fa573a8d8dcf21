import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InboundWebhookRules, generateWebhookToken, SecretBox } from '@passerelle/domain';
import type { Counts } from '@passerelle/limits';
import { InboundWebhooksController } from '../../../apps/api/src/inbound-webhooks/inbound-webhooks.controller';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';
import { until } from '../../support/waiting';

const SECRETS_KEY = 'the-key-of-the-calls-of-this-api-012345';
const SECRET = 'the secret of the calls of this test';
const HMAC: InboundWebhookRules = {
  proof: { kind: 'hmac', header: 'x-signature', hash: 'sha256', encoding: 'hex' },
  event: 'event',
  about: ['property_'],
  ids: ['data.id'],
};

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi({ secretsKey: SECRETS_KEY, refusedKeysPerMinute: 30 });
});
beforeEach(async () => {
  gateway = await addGateway(api.database);
  await register(HMAC);
});
afterAll(() => api.close());

const register = (calls: InboundWebhookRules | null): Promise<void> =>
  api.database.connectors.register([{ id: gateway.crm, label: 'A CRM', type: 'api', notes: '', calls }]);
async function open(secret: string | null = SECRET, overlapSeconds = 0): Promise<string> {
  const token = generateWebhookToken();
  const hash = createHash('sha256').update(token).digest();
  const sealed = secret === null ? null : new SecretBox(SECRETS_KEY).seal(secret);
  await api.database.inboundWebhookUrls.open(gateway.id, { hash, prefix: 'psc_', secret: sealed }, overlapSeconds);
  return `/in/${token}`;
}
const signed = (body: string, secret = SECRET): Record<string, string> => ({
  'x-signature': createHmac('sha256', secret).update(body).digest('hex'),
});
const call = (path: string, body: string, headers: Record<string, string> = signed(body)) =>
  api.send('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body });
const notes = async (): Promise<string[]> =>
  (
    await api.testDatabase.query<{ listing: string }>(
      'SELECT listing FROM call_note WHERE gateway_id = $1 ORDER BY listing',
      [gateway.id],
    )
  ).map(({ listing }) => listing);
const runs = () =>
  api.testDatabase.query<{ trigger: string; state: string; asked_by: string }>(
    'SELECT trigger, state, asked_by FROM run WHERE gateway_id = $1',
    [gateway.id],
  );

describe('inbound webhook', () => {
  it('requests a run, and stores only the identifiers of its listings', async () => {
    const path = await open();
    const body = JSON.stringify({ event: 'property_updated', data: { id: 7, owner: 'Mrs Private' } });
    const answer = await call(path, body);
    expect([answer.status, answer.body.data]).toEqual([202, { noted: 1, everything: false }]);
    expect(await notes()).toEqual(['7']);
    expect(await runs()).toEqual([{ trigger: 'call', state: 'queued', asked_by: 'crm' }]);
    expect(JSON.stringify(await api.testDatabase.query('SELECT * FROM call_note'))).not.toContain('Private');
  });

  it('shares one look-up of its URL with webhooks that arrive at the same time', async () => {
    const path = await open();
    const body = JSON.stringify({ event: 'property_updated', data: { id: 7 } });
    const { query } = api.testDatabase;
    await query('BEGIN');
    await query('LOCK TABLE call_address IN ACCESS EXCLUSIVE MODE');
    const calls = Promise.all(Array.from({ length: 40 }, () => call(path, body)));
    const waiting = async (): Promise<number> => {
      const [row] = await query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_locks WHERE relation = 'call_address'::regclass AND NOT granted`,
      );
      return row!.count;
    };
    await until(async () => (await waiting()) > 0);
    // Without the shared look-up, all requests would wait for the lock by then.
    await sleep(500);
    const count = await waiting();
    await query('COMMIT');
    expect(count).toBe(1);
    expect(new Set((await calls).map(({ status }) => status))).toEqual(new Set([202]));
  });

  it('adds no run while the run of an earlier webhook is queued', async () => {
    const path = await open();
    const bodies = Array.from({ length: 300 }, (_, id) => JSON.stringify({ data: { id: id % 100 } }));
    const answers = await Promise.all(bodies.map((body) => call(path, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect((await notes()).length).toBe(100);
    expect((await runs()).length).toBe(1);
  });

  it('is accepted and ignored when its event is not about listings', async () => {
    const body = JSON.stringify({ event: 'client_updated', data: { id: 7 } });
    expect((await call(await open(), body)).body.data).toEqual({ noted: 0, everything: false });
    expect([await notes(), await runs()]).toEqual([[], []]);
  });

  it.each(['', 'not json', '{}', '[1]', '\u00ff'])(
    'marks all listings as changed when it has no readable identifier: %j',
    async (body) => {
      expect((await call(await open(), body)).body.data).toEqual({ noted: 0, everything: true });
      expect(await notes()).toEqual(['']);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'is accepted with the content type %s',
    async (type) => {
      const body = JSON.stringify({ data: { id: 7 } });
      expect((await call(await open(), body, { ...signed(body), 'content-type': type })).status).toBe(202);
      expect(await notes()).toEqual(['7']);
    },
  );

  it('gets the same 401 for a missing or wrong proof, an unknown URL and a replaced URL', async () => {
    const [older, body] = [await open(), JSON.stringify({ data: { id: 7 } })];
    const path = await open();
    const refused = [
      await call(path, body, {}),
      await call(path, body, signed(body, 'another secret of this test')),
      await call(path, `${body} `, signed(body)),
      await call(`/in/${generateWebhookToken()}`, body),
      await call(older, body),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(refused.map(({ body: { message } }) => message as string)).size).toBe(1);
    expect(await notes()).toEqual([]);
  });

  it('is refused at a URL with a secret when the connector no longer defines a proof', async () => {
    await register(null);
    expect((await call(await open(), '{}')).status).toBe(401);
  });

  it('needs no proof except its secret URL when the CRM signs nothing', async () => {
    await register({ proof: { kind: 'path' }, ids: ['estate_id'] });
    expect((await call(await open(null), '{"estate_id":"a"}', {})).status).toBe(202);
    expect(await notes()).toEqual(['a']);
  });

  it('is refused when it has more than 64 KB', async () => {
    const body = JSON.stringify({ data: { id: 7 }, more: 'x'.repeat(64 * 1024) });
    expect((await call(await open(), body)).status).toBe(400);
    expect(await notes()).toEqual([]);
  });

  it('is stored but requests no run while the gateway is disabled or failing', async () => {
    gateway = await addGateway(api.database, { listings: someListings(1) });
    const ofCalls = async () => (await runs()).filter(({ trigger }) => trigger === 'call');
    const path = await open();
    await api.database.gateways.setEnabled(gateway.id, false);
    expect((await call(path, '{"data":{"id":1}}')).status).toBe(202);
    await api.database.gateways.setEnabled(gateway.id, true);
    await api.testDatabase.query(
      `UPDATE gateway_schedule SET failures = 1, next_run_at = now() + interval '1 hour' WHERE gateway_id = $1`,
      [gateway.id],
    );
    expect((await call(path, '{"data":{"id":2}}')).status).toBe(202);
    expect([await notes(), await ofCalls()]).toEqual([['1', '2'], []]);
  });

  it('adds no run while a run that an operator requested is queued', async () => {
    await api.database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops', askedBy: 'Nora' });
    await call(await open(), '{"data":{"id":1}}');
    expect(await runs()).toEqual([{ trigger: 'ops', state: 'queued', asked_by: 'Nora' }]);
  });

  it('gets 429 with Retry-After beyond 60,000 per minute and gateway', async () => {
    const { counts } = api.app.get<unknown, { counts: Counts }>(InboundWebhooksController);
    for (let calls = 0; calls < 59_999; calls += 1) counts.addHere(String(gateway.id));
    const path = await open();
    expect((await call(path, '{"data":{"id":1}}')).status).toBe(202);
    const refused = await call(path, '{"data":{"id":2}}');
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await notes()).toEqual(['1']);
    gateway = await addGateway(api.database);
    expect((await call(await open(), '{"data":{"id":3}}')).status).toBe(202);
    api.clock.skip(60_000);
  });

  it('gets 401 for a wrong proof, and 429 without a check after 30 wrong proofs per minute from one address', async () => {
    const path = await open();
    api.clock.skip(60_000);
    const statuses: number[] = [];
    for (let n = 0; n < 32; n += 1) statuses.push((await call(path, '{}', {})).status);
    expect([statuses.slice(0, 30).every((status) => status === 401), statuses.at(-1)]).toEqual([true, 429]);
    expect(await notes()).toEqual([]);
    api.clock.skip(60_000);
  });

  it('is stored as a change of all listings when ten thousand changed listings already wait for a run', async () => {
    await api.testDatabase.query(
      `INSERT INTO call_note (gateway_id, listing) SELECT $1, 'x' || n FROM generate_series(1, 10000) n`,
      [gateway.id],
    );
    await call(await open(), '{"data":{"id":1}}');
    expect((await notes()).includes('')).toBe(true);
    expect((await notes()).length).toBe(10_001);
  });
});

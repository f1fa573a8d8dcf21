import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateWebhookToken } from '@passerelle/domain';
import type { Answer } from '../../support/answer';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';
import { until } from '../../support/waiting';

// Real: HTTP, PostgreSQL, and the connection to it, which the test cuts. Fake: the CRM.
describe('inbound webhook while the database is unavailable', () => {
  let link: BreakableLink;
  let api: ApiUnderTest;
  let gateway: SeededGateway;

  beforeAll(async () => {
    api = await startApi({}, { wayTo: async (url) => (link = await linkTo(url)).url });
    gateway = await addGateway(api.database);
    const calls = { proof: { kind: 'path' }, ids: ['id'] } as const;
    await api.database.connectors.register([{ id: gateway.crm, label: 'A CRM', type: 'api', notes: '', calls }]);
  });
  afterEach(async () => {
    await link.mend();
    await until(async () => (await api.get('/health/ready')).text.includes('"ready":true}'));
  });
  afterAll(async () => {
    await api.close();
    await link.close();
  });

  async function open(): Promise<string> {
    const token = generateWebhookToken();
    const hash = createHash('sha256').update(token).digest();
    await api.database.inboundWebhookUrls.open(gateway.id, { hash, prefix: 'psc_', secret: null }, 3600);
    return `/in/${token}`;
  }
  const call = (path: string, id: string): Promise<Answer> =>
    api.send('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id }) });
  const notes = async (): Promise<string[]> =>
    (
      await api.testDatabase.query<{ listing: string }>(
        'SELECT listing FROM call_note WHERE gateway_id = $1 ORDER BY listing',
        [gateway.id],
      )
    ).map(({ listing }) => listing);

  it('is stored when the database returns within seconds, at a known or a new URL', async () => {
    const [known, unknown] = [await open(), await open()];
    await call(known, 'before');
    await link.cut();
    const calls = Promise.all([
      ...Array.from({ length: 50 }, (_, n) => call(known, `known-${n}`)),
      ...Array.from({ length: 50 }, (_, n) => call(unknown, `unknown-${n}`)),
    ]);
    await sleep(1_000);
    await link.mend();
    expect(new Set((await calls).map(({ status }) => status))).toEqual(new Set([202]));
    const named = Array.from({ length: 50 }, (_, n) => [`known-${n}`, `unknown-${n}`]).flat();
    expect(await notes()).toEqual(['before', ...named].sort());
  });

  it('gets 503 with Retry-After, and is not stored, when the database stays unavailable', async () => {
    const path = await open();
    await call(path, 'before');
    await link.cut();
    const [answer] = await Promise.all([call(path, 'while-away'), call(path, 'while-away')]);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    await link.mend();
    expect(await notes()).not.toContain('while-away');
    expect((await call(path, 'while-away')).status).toBe(202);
    expect(await notes()).toContain('while-away');
  });

  it('arrives while readers get 500 with Retry-After and a message that names the database', async () => {
    await link.cut();
    const { status, body, headers } = await api.get(`/v1/properties?${gateway.query}&page=7`, gateway.headers);
    expect([status, body.code, headers['retry-after']]).toEqual([500, 'INTERNAL_ERROR', '5']);
    expect(body.message).toBe('The database does not answer. Try again in 5 s.');
  });
});

import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { nameOfRole } from '@passerelle/database';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import { API_DOCUMENTS } from '../../support/api-documents';
import { Outage } from '../../../apps/api/src/metrics/outage';
import { addGateway, type ApiUnderTest, publishListings, type SeededGateway, startApi } from './api-under-test';
import { untilServed } from '../../support/until-served';
import { until } from '../../support/waiting';

// Real: two API processes' worth of applications, over a PostgreSQL that takes no writes from their role.
describe('a PostgreSQL that is read-only', () => {
  let api: ApiUnderTest;
  let other: NestFastifyApplication;
  let urls: string[];
  let role: string;
  let gateway: SeededGateway;
  let published: number;

  beforeAll(async () => {
    api = await startApi({ opsToken: 'the-token-of-the-operators' });
    role = nameOfRole(new URL(api.testDatabase.url).pathname.slice(1), 'serve');
    other = await createApp({
      config: parseConfig({ DATABASE_URL: api.testDatabase.urlOf('serve') }),
      documents: API_DOCUMENTS,
    });
    await other.listen(0, '127.0.0.1');
    urls = [api.url, `http://127.0.0.1:${(other.getHttpServer().address() as AddressInfo).port}`];
  });
  beforeEach(async () => {
    published = 0;
    gateway = await addGateway(api.database, { listings: listOf(0) });
    await publish();
  });
  afterEach(() => takeWrites(true));
  afterAll(async () => {
    await other.close();
    await api.close();
  });

  /** Ten listings that say when they were published. */
  function listOf(generation: number) {
    return Array.from({ length: 10 }, (_, n) => ({
      affId: `L${n + generation}`,
      intitule: `generation ${generation}`,
    }));
  }

  /** Within the time of a walk of the list before it, so that walks are written down. */
  async function publish(): Promise<void> {
    published += 1;
    await publishListings(api.database, gateway.id, listOf(published));
    await untilServed(api.testDatabase, gateway, urls);
  }

  /** As a standby, or the setting of an operator: each new connection of the API only reads. */
  async function takeWrites(does: boolean): Promise<void> {
    const { testDatabase } = api;
    await testDatabase.query(`ALTER ROLE ${role} SET default_transaction_read_only = ${does ? 'off' : 'on'}`);
    await testDatabase.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
    await until(async () => {
      const states = await Promise.all(urls.map(async (url) => (await fetch(`${url}/health/ready`)).status));
      return states.every((status) => status === 200);
    });
  }

  interface Page {
    status: number;
    token: string;
    generation: number;
    affIds: string[];
  }

  async function read(page: number, { at = 0, agent = 'Plugin/1.0', snapshot = '' } = {}): Promise<Page> {
    const pinned = snapshot === '' ? '' : `&snapshot=${snapshot}`;
    const response = await fetch(`${urls[at]}/v1/properties?${gateway.query}&per_page=3&page=${page}${pinned}`, {
      headers: { ...gateway.headers, 'user-agent': agent },
    });
    const { data = [] } = (await response.json()) as { data?: { affId: string; intitule: string }[] };
    return {
      status: response.status,
      token: response.headers.get('x-snapshot') ?? '',
      generation: Number(data[0]?.intitule.split(' ')[1] ?? NaN),
      affIds: data.map(({ affId }) => affId),
    };
  }

  async function generations(...pages: Promise<Page>[]): Promise<number[]> {
    return (await Promise.all(pages)).map(({ status, generation }) => (status === 200 ? generation : status));
  }

  it('serves whole walks, and keeps each on the list on which it began', async () => {
    await takeWrites(false);
    const first = await read(1);
    await publish();
    const pages = [first, await read(2), await read(3), await read(4)];
    expect(pages.flatMap(({ affIds }) => affIds)).toEqual(listOf(1).map(({ affId }) => affId));
    expect(await generations(read(1))).toEqual([2]);
  });

  it('knows the walks that were written down before, on any process', async () => {
    await read(1);
    await takeWrites(false);
    await publish();
    expect(await generations(read(2), read(3, { at: 1 }), read(4, { at: 1 }))).toEqual([1, 1, 1]);
  });

  it('has a walk written down once it takes writes again, and another process goes on with it', async () => {
    await takeWrites(false);
    await read(1);
    await takeWrites(true);
    await publish();
    expect(await generations(read(2))).toEqual([1]);
    expect(await generations(read(3, { at: 1 }))).toEqual([1]);
  });

  it('keeps the walks that were only in memory when a list is replaced', async () => {
    await api.testDatabase.query(
      `UPDATE snapshot SET published_at = published_at - interval '1 hour' WHERE gateway_id = $1`,
      [gateway.id],
    );
    await api.testDatabase.query('UPDATE gateway SET confirmed_at = clock_timestamp() WHERE id = $1', [gateway.id]);
    await untilServed(api.testDatabase, gateway, urls);
    await takeWrites(false);
    const before = await api.testDatabase.query('SELECT 1 FROM walk WHERE gateway_id = $1', [gateway.id]);
    expect(await generations(read(1))).toEqual([1]);
    await publish();
    expect(await generations(read(1))).toEqual([1]);
    expect(await generations(read(2), read(3))).toEqual([1, 1]);
    expect(await api.testDatabase.query('SELECT 1 FROM walk WHERE gateway_id = $1', [gateway.id])).toEqual(before);
  });

  it.each([true, false])(
    'ends a walk whose reader reads on by the token, whether it was written: %s',
    async (wasWritten) => {
      if (!wasWritten) await takeWrites(false);
      const { token } = await read(1);
      if (wasWritten) await takeWrites(false);
      await publish();
      await read(2, { snapshot: token });
      expect(await generations(read(1))).toEqual([2]);
    },
  );

  it('is what readiness says, and what the metrics count', async () => {
    await takeWrites(false);
    const before = api.app.get(Outage).refusedWrites;
    await generations(read(1), read(1, { agent: 'Another/1.0' }));
    expect((await api.get('/health/ready')).body.data).toEqual({ ready: true, database: 'read-only' });
    expect(api.app.get(Outage).refusedWrites).toBe(before + 2);
    const headers = { authorization: 'Bearer the-token-of-the-operators' };
    const metrics = await (await fetch(`${api.url}/metrics`, { headers })).text();
    expect(metrics).toContain(`passerelle_api_refused_writes_total ${before + 2}\n`);
  });
});

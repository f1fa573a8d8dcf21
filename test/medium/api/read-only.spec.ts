import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { nameOfRole } from '@passerelle/database';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import { API_DOCUMENTS } from '../../support/api-documents';
import { Outage } from '../../../apps/api/src/metrics/outage';
import { addGateway, type ApiUnderTest, publishListings, type SeededGateway, startApi } from './api-under-test';
import { walkLists } from '../../support/torn-walks';
import { untilServed } from '../../support/until-served';
import { until } from '../../support/waiting';

/**
 * The number of pagination sessions while lists are published and the database switches between read-only and writable.
 */
const WALKS = 200;

// Real: the applications of two API processes, over a PostgreSQL that accepts no writes from their role.
describe('API on a read-only PostgreSQL', () => {
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

  /** Ten listings whose titles contain the number of their publication. */
  function listOf(generation: number) {
    return Array.from({ length: 10 }, (_, n) => ({
      affId: `L${n + generation}`,
      intitule: `generation ${generation}`,
    }));
  }

  /** Publishes while sessions in the previous list may still continue, so that the API stores these sessions. */
  async function publish(): Promise<void> {
    published += 1;
    await publishListings(api.database, gateway.id, listOf(published));
    await untilServed(api.testDatabase, gateway, urls);
  }

  /** Makes every publication older than the longest pagination session. */
  async function quiet(): Promise<void> {
    await api.testDatabase.query(
      `UPDATE snapshot SET published_at = published_at - interval '1 hour' WHERE gateway_id = $1`,
      [gateway.id],
    );
    await api.testDatabase.query('UPDATE gateway SET confirmed_at = clock_timestamp() WHERE id = $1', [gateway.id]);
    await untilServed(api.testDatabase, gateway, urls);
  }

  /**
   * Allows the API to write, or makes each of its new connections read-only, as a standby or an operator's setting
   * does.
   */
  async function takeWrites(does: boolean): Promise<void> {
    const { testDatabase } = api;
    await testDatabase.query(`ALTER ROLE ${role} SET default_transaction_read_only = ${does ? 'off' : 'on'}`);
    await testDatabase.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = $1', [
      role,
    ]);
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

  it('serves the later pages of a pagination session on the process that sent page 1', async () => {
    await takeWrites(false);
    const pages = [await read(1), await read(2), await read(3), await read(4)];
    expect(pages.flatMap(({ affIds }) => affIds)).toEqual(listOf(1).map(({ affId }) => affId));
    expect(await generations(read(1))).toEqual([1]);
  });

  it('refuses a later page on a process that does not know the list of page 1, and tells the reader to start again', async () => {
    await takeWrites(false);
    await read(1);
    const refused = await fetch(`${urls[1]}/v1/properties?${gateway.query}&per_page=3&page=2`, {
      headers: { ...gateway.headers, 'user-agent': 'Plugin/1.0' },
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, '5']);
    expect(await refused.json()).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/start again at page 1\.$/) as string,
    });
    expect(await generations(read(1, { at: 1 }))).toEqual([1]);
    expect(await generations(read(2, { at: 1 }), read(3), read(4, { at: 1 }))).toEqual([1, 1, 1]);
  });

  it('refuses a later page of a replaced list, because the reader may have started again on another process', async () => {
    await takeWrites(false);
    await read(1);
    await publish();
    expect(await generations(read(1, { at: 1 }))).toEqual([2]);
    expect(await generations(read(2))).toEqual([500]);
    expect(await generations(read(1))).toEqual([2]);
    expect(await generations(read(2), read(3, { at: 1 }))).toEqual([2, 2]);
  });

  it('continues sessions that were stored before writes stopped, on any process', async () => {
    await read(1);
    await takeWrites(false);
    await publish();
    expect(await generations(read(2), read(3, { at: 1 }), read(4, { at: 1 }))).toEqual([1, 1, 1]);
    // The API cannot store the end of the session.
    expect(await generations(read(1))).toEqual([1]);
  });

  it('refuses a later page after the stored session is over, because the next session may have started on another process', async () => {
    for (const page of [1, 4]) await read(page);
    await publish();
    await takeWrites(false);
    expect(await generations(read(1))).toEqual([2]);
    expect(await generations(read(2, { at: 1 }))).toEqual([500]);
    expect(await generations(read(2))).toEqual([2]);
    await takeWrites(true);
    expect(await generations(read(3, { at: 1 }))).toEqual([500]);
    expect(await generations(read(3))).toEqual([2]);
    expect(await generations(read(4, { at: 1 }))).toEqual([2]);
  });

  it('makes the other processes refuse a session that they do not know, once writes are possible again', async () => {
    await takeWrites(false);
    await read(1);
    await takeWrites(true);
    expect(await generations(read(2, { at: 1 }))).toEqual([500]);
    expect(await generations(read(2))).toEqual([1]);
    await publish();
    expect(await generations(read(3, { at: 1 }))).toEqual([1]);
  });

  it('drops a session whose list was replaced before the API could store the session', async () => {
    await takeWrites(false);
    await read(1);
    await takeWrites(true);
    await publish();
    expect(await generations(read(2), read(2, { at: 1 }))).toEqual([500, 500]);
    expect(await generations(read(1))).toEqual([2]);
    expect(await generations(read(2, { at: 1 }))).toEqual([2]);
  });

  it('does not store a session from before the outage, because its reader may have started again since', async () => {
    await quiet();
    await read(1);
    await takeWrites(false);
    await publish();
    expect(await generations(read(1, { at: 1 }))).toEqual([2]);
    await takeWrites(true);
    expect(await generations(read(2))).toEqual([500]);
    expect(await generations(read(2, { at: 1 }))).toEqual([2]);
    expect(await generations(read(3))).toEqual([2]);
  });

  it.each([
    [true, 1],
    [false, 2],
  ])(
    'continues a session after a page that names a snapshot only if page 1 was stored: %s',
    async (wasWritten, next) => {
      if (!wasWritten) await takeWrites(false);
      const { token } = await read(1);
      if (wasWritten) await takeWrites(false);
      await publish();
      await read(2, { snapshot: token });
      expect(await generations(read(1))).toEqual([next]);
    },
  );

  it('takes all pages of a session from one list while writes stop and start, lists are published and processes alternate', async () => {
    let requests = 0;
    const over = new AbortController();
    const disturbing = (async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        if (turn % 3 === 0) await takeWrites(turn % 2 !== 0);
        await publish();
      }
    })();
    const figures = await walkLists({
      ...{ walks: WALKS, readers: ['A', 'B', 'C', 'D', 'E'], pages: 4 },
      read: (page, agent) => read(page, { at: (requests += 1) % 2, agent }),
    });
    over.abort();
    await disturbing;
    if (process.env['FIGURES'] !== undefined)
      process.stdout.write(`${JSON.stringify({ ...figures, torn: figures.torn.length, published })}\n`);
    expect(figures.torn).toEqual([]);
    expect(figures.whole).toBeGreaterThan(0);
  });

  it('reports the read-only state in readiness and metrics', async () => {
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

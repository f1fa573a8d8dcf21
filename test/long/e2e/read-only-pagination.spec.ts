import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { nameOfRole } from '@passerelle/database';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
} from '../../medium/api/api-under-test';
import { API_DOCUMENTS } from '../../support/api-documents';
import { type ReadPage, walkLists } from '../../support/torn-walks';
import { until } from '../../support/waiting';

const WALKS = Number(process.env['WALKS'] ?? 5_000);
const READERS = Array.from({ length: 10 }, (_, n) => `Reader/${n}`);
const GATEWAYS = 5;

// Real: three API applications in one process, and PostgreSQL, which refuses their role's writes at times.
describe('pagination sessions without a token over three APIs', () => {
  let api: ApiUnderTest;
  let others: NestFastifyApplication[];
  let urls: string[];
  let gateways: SeededGateway[];

  beforeAll(async () => {
    api = await startApi();
    const config = parseConfig({ DATABASE_URL: api.testDatabase.urlOf('serve') });
    others = await Promise.all([1, 2].map(() => createApp({ config, documents: API_DOCUMENTS })));
    for (const app of others) await app.listen(0, '127.0.0.1');
    const ports = others.map((app) => (app.getHttpServer().address() as AddressInfo).port);
    urls = [api.url, ...ports.map((port) => `http://127.0.0.1:${port}`)];
    gateways = [];
    for (let n = 0; n < GATEWAYS; n += 1) gateways.push(await addGateway(api.database, { listings: listOf(0) }));
  });
  afterAll(async () => {
    for (const app of others) await app.close();
    await api.close();
  });

  /** Ten listings whose texts contain the number of their publication. */
  function listOf(generation: number) {
    return Array.from({ length: 10 }, (_, n) => ({
      affId: `L${n + generation}`,
      intitule: `generation ${generation}`,
    }));
  }

  async function takeWrites(does: boolean): Promise<void> {
    const role = nameOfRole(new URL(api.testDatabase.url).pathname.slice(1), 'serve');
    await api.testDatabase.query(`ALTER ROLE ${role} SET default_transaction_read_only = ${does ? 'off' : 'on'}`);
    await api.testDatabase.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = $1', [
      role,
    ]);
    await until(async () => {
      const states = await Promise.all(urls.map(async (url) => (await fetch(`${url}/health/ready`)).status));
      return states.every((status) => status === 200);
    });
  }

  async function read(at: number, gateway: SeededGateway, page: number, reader: string): Promise<ReadPage> {
    const response = await fetch(`${urls[at]}/v1/properties?${gateway.query}&per_page=3&page=${page}`, {
      headers: { ...gateway.headers, 'user-agent': reader },
    });
    const { data = [] } = (await response.json()) as { data?: { affId: string }[] };
    const token = response.headers.get('x-snapshot') ?? '';
    return { status: response.status, token, affIds: data.map(({ affId }) => affId) };
  }

  it('are complete while lists are published and the database alternately refuses and accepts writes', async () => {
    const over = new AbortController();
    let published = 0;
    let switched = 0;
    const disturbing = (async () => {
      while (!over.signal.aborted) {
        await takeWrites((switched += 1) % 2 === 0);
        for (const gateway of gateways) await publishListings(api.database, gateway.id, listOf((published += 1)));
      }
    })();
    let requests = 0;
    const figures = await walkLists({
      ...{ walks: WALKS, readers: READERS, pages: 4 },
      read: (page, reader) =>
        read((requests += 1) % urls.length, gateways[Number(reader.slice(7)) % GATEWAYS]!, page, reader),
    });
    over.abort();
    await disturbing;
    const { torn, ...others } = figures;
    process.stdout.write(`${JSON.stringify({ ...others, torn: torn.length, published, switched })}\n`);
    expect(torn).toEqual([]);
    expect(figures.whole).toBeGreaterThan(WALKS / 10);
  }, 1_800_000);
});

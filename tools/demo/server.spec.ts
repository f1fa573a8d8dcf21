import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReadApi, type DemoGateway } from './read-api';
import { type DemoServer, startDemoServer } from './server';

const GATEWAY: DemoGateway = { crm: 'kyero', client: 'demo', key: 'the-key' };
const FEED = { state: 'fresh', since: null, reason: null, confirmed_at: null, published_at: null, next_run_at: null };

// Fake: the API.
describe('demo server', () => {
  let api: Server;
  let demo: DemoServer;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    api = createServer((request, response) => {
      asked.push(`${request.url ?? ''} ${String(request.headers['key'])}`);
      const isFeed = request.url?.startsWith('/v1/feed');
      const meta = { total: 450, page: 2, total_pages: 19 };
      const facets = { typeCode: [{ value: 'maison', count: 450 }] };
      response.end(JSON.stringify(isFeed ? { data: { ...FEED, snapshot: 'one' } } : { data: [], meta, facets }));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const { port } = api.address() as AddressInfo;
    demo = await startDemoServer({
      ports: [port, 0],
      gateways: [GATEWAY],
      api: createReadApi(`http://127.0.0.1:${port}`),
      places: { media: 'http://api.example/media/', elsewhere: [] },
      docsUrl: '',
      consoleUrl: '',
    });
  });
  afterEach(async () => {
    // Close the API first: if the demo did not start, `demo` is undefined, and an open API would keep the test running.
    api.close();
    await demo.close();
  });

  const ask = async (path: string, init?: RequestInit): Promise<{ status: number; body: string }> => {
    const response = await fetch(`http://127.0.0.1:${demo.port}${path}`, init);
    return { status: response.status, body: await response.text() };
  };

  it('uses the next port when the first is taken', async () => {
    expect(demo.port).not.toBe((api.address() as AddressInfo).port);
    expect((await ask('/demo')).status).toBe(200);
  });

  it.each([
    ['typeTransaction=vente&typeCode=&budget=300+000', 'typeTransaction=vente&per_page=24&prixMax=300000'],
    ['typeTransaction=location&budget=900&page=2', 'page=2&typeTransaction=location&per_page=24&loyerMax=900'],
    ['ville=Paris%2C+16e&other=1', 'ville=Paris%252C+16e&per_page=24'],
  ])('searches for ?%s with the key of the gateway', async (query, search) => {
    expect((await ask(`/demo/kyero?${query}`)).body).toContain('450 annonces, page 2 sur 19');
    expect(asked).toEqual([
      '/v1/feed?crm=kyero&client=demo the-key',
      `/v1/search?crm=kyero&client=demo&${search} the-key`,
      '/v1/search?crm=kyero&client=demo&per_page=1&facets=typeTransaction%2CtypeCode%2Cville the-key',
    ]);
  });

  it('answers only GET and HEAD', async () => {
    expect((await ask('/demo', { method: 'POST' })).status).toBe(405);
    expect(await ask('/demo', { method: 'HEAD' })).toEqual({ status: 200, body: '' });
    expect(asked).not.toEqual([]);
  });

  it('reports that the API does not answer', async () => {
    api.closeAllConnections();
    const closed = once(api, 'close');
    api.close();
    await closed;

    const { status, body } = await ask('/demo');
    expect(status).toBe(502);
    expect(body).toContain('the API does not answer');
  });
});

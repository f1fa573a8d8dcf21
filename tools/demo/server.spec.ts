import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReadApi, type DemoGateway } from './read-api';
import { type DemoServer, startDemoServer } from './server';

const GATEWAY: DemoGateway = { crm: 'kyero', client: 'demo', key: 'the-key' };
const TOTAL = 450;
const FEED = { state: 'fresh', since: null, reason: null, confirmed_at: null, published_at: null, next_run_at: null };

// Fake: the API.
describe('the server of the demo', () => {
  let api: Server;
  let demo: DemoServer;
  let snapshot: string;
  let asked: string[];

  beforeEach(async () => {
    [snapshot, asked] = ['one', []];
    api = createServer((request, response) => {
      asked.push(`${request.url ?? ''} ${String(request.headers['key'])}`);
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
      const page = Number(searchParams.get('page'));
      const listings = Array.from({ length: TOTAL }, (_, index) => ({ affId: String(index), photos: [] }));
      const isFeed = pathname === '/v1/feed';
      const data = isFeed ? { ...FEED, snapshot } : listings.slice((page - 1) * 200, page * 200);
      response.end(JSON.stringify({ data, ...(!isFeed && { meta: { total_pages: 3 } }) }));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const { port } = api.address() as AddressInfo;
    demo = await startDemoServer({
      ports: [port, 0],
      gateways: [GATEWAY],
      api: createReadApi(`http://127.0.0.1:${port}`),
      places: { media: 'http://api.example/media/', elsewhere: [] },
      docsUrl: '',
    });
  });
  afterEach(async () => {
    // First: the demo's is not there when its start failed, and an open server would keep the test alive.
    api.close();
    await demo.close();
  });

  const ask = async (path: string, init?: RequestInit): Promise<{ status: number; body: string }> => {
    const response = await fetch(`http://127.0.0.1:${demo.port}${path}`, init);
    return { status: response.status, body: await response.text() };
  };

  it('takes the next port when one is taken', async () => {
    expect(demo.port).not.toBe((api.address() as AddressInfo).port);
    expect((await ask('/demo')).status).toBe(200);
  });

  it('reads every page of one snapshot with the key, once for each snapshot', async () => {
    const pages = (token: string): string[] =>
      [1, 2, 3].map(
        (page) => `/v1/properties?crm=kyero&client=demo&snapshot=${token}&page=${page}&per_page=200 the-key`,
      );

    expect((await ask('/demo/kyero')).body).toContain('450 annonces');
    await ask('/demo/kyero?page=2');
    expect(asked.filter((line) => line.startsWith('/v1/properties'))).toEqual(pages('one'));

    snapshot = 'two';
    await ask('/demo/kyero');
    expect(asked.filter((line) => line.startsWith('/v1/properties'))).toEqual([...pages('one'), ...pages('two')]);
  });

  it('answers to reading only', async () => {
    expect((await ask('/demo', { method: 'POST' })).status).toBe(405);
    expect(await ask('/demo', { method: 'HEAD' })).toEqual({ status: 200, body: '' });
    expect(asked).not.toEqual([]);
  });

  it('says so when the API is gone', async () => {
    api.closeAllConnections();
    const closed = once(api, 'close');
    api.close();
    await closed;

    const { status, body } = await ask('/demo');
    expect(status).toBe(502);
    expect(body).toContain('the API does not answer');
  });
});

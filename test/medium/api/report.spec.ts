import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi();
  await api.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: 'Property feed v3' }]);
});
beforeEach(async () => {
  gateway = await addGateway(api.database);
});
afterAll(() => api.close());

const report = (members: object, headers: Record<string, string> = gateway.headers, path = '/v1/report') =>
  api.send('POST', path, { headers, body: { crm: gateway.crm, client: gateway.client, ...members } });
const status = async () => (await api.get(`/v1/status?${gateway.query}`, gateway.headers)).body.data;

describe('GET /v1/status', () => {
  it('shows no import before the first report', async () => {
    const answer = await api.get(`/v1/status?${gateway.query}`, gateway.headers);

    expect(answer.body).toEqual({
      status: 'success',
      data: {
        crm: 'kyero',
        client: gateway.client,
        active: true,
        contract_end: null,
        cms_url: null,
        last_update_status: null,
        last_update_count: null,
        last_update_message: null,
        last_update_timestamp: null,
        connector: { id: 'kyero', label: 'Kyero', type: 'xml', notes: 'Property feed v3' },
      },
      request_id: answer.headers['x-request-id'],
    });
  });

  it('shows the connector type as unknown when the connector is no longer registered', async () => {
    const orphan = await addGateway(api.database, { crm: 'gone' });
    const { body } = await api.get(`/v1/status?${orphan.query}`, orphan.headers);

    expect(body.data.connector).toEqual({ id: 'gone', label: 'gone', type: 'unknown', notes: '' });
  });
});

describe.each(['/v1/report', '/report'])('POST %s', (path) => {
  it('stores a report, and GET /v1/status shows it', async () => {
    const answer = await report(
      { status: 'error', count: 12, message: 'ligne 3\n— café', site_url: 'https://site.example/a?b=c' },
      gateway.headers,
      path,
    );

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      data: {
        saved: true,
        crm: 'kyero',
        client: gateway.client,
        status: 'error',
        count: 12,
        message: 'ligne 3\n— café',
        cms_url: 'https://site.example/a?b=c',
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      request_id: answer.headers['x-request-id'],
    });
    expect(await status()).toMatchObject({
      cms_url: 'https://site.example/a?b=c',
      last_update_status: 'error',
      last_update_count: 12,
      last_update_message: 'ligne 3\n— café',
      last_update_timestamp: answer.body.data.received_at,
    });
  });

  it.each([
    ['key', (key: string) => ({ key })],
    ['api_key', (key: string) => ({ api_key: key })],
    ['key beside a wrong api_key', (key: string) => ({ key, api_key: 'wrong' })],
    ['api_key beside an empty key', (key: string) => ({ key: '', api_key: key })],
  ])('accepts the key in the body: %s', async (_title, members) => {
    expect((await report({ status: 'success', ...members(gateway.key) }, {}, path)).status).toBe(200);
  });

  it('prefers the key in a header to the key in the body', async () => {
    expect((await report({ status: 'success', key: 'wrong' }, gateway.headers, path)).status).toBe(200);
    expect((await report({ status: 'success', key: gateway.key }, { key: 'wrong' }, path)).status).toBe(401);
    expect((await report({ status: 'success', key: 'wrong', api_key: gateway.key }, {}, path)).status).toBe(401);
    expect((await report({ status: 'success' }, {}, path)).status).toBe(401);
  });

  it.each([
    ['crm', { crm: undefined }],
    ['crm', { crm: '' }],
    ['crm', { crm: 'a b' }],
    ['crm', { crm: 1 }],
    ['crm', { crm: null }],
    ['client', { client: undefined }],
    ['client', { client: 'é' }],
    ['client', { client: ['x'] }],
    ['client', { client: 'a\n' }],
    ['status', {}],
    ['status', { status: 'ok' }],
    ['status', { status: 'Success' }],
    ['status', { status: '' }],
    ['status', { status: true }],
    ['count', { count: -1 }],
    ['count', { count: 1.5 }],
    ['count', { count: '5' }],
    ['count', { count: null }],
    ['count', { count: 1e300 }],
    ['count', { count: true }],
    ['message', { message: 5 }],
    ['added', { added: -1 }],
    ['failed', { failed: 'all' }],
    ['failed', { failed: [{ reason: 'no affId' }] }],
    ['snapshot', { snapshot: 7 }],
    ['message', { message: null }],
    ['message', { message: {} }],
    ['site_url', { site_url: 'site.example' }],
    ['site_url', { site_url: '/path' }],
    ['site_url', { site_url: 'ftp://site.example' }],
    ['site_url', { site_url: 'javascript:alert(1)' }],
    ['site_url', { site_url: '' }],
    ['site_url', { site_url: 'https://a b' }],
    ['site_url', { site_url: `https://a.example/${'x'.repeat(2_100)}` }],
    ['cms_url', { cms_url: '//site.example' }],
    ['cms_url', { cms_url: 7 }],
    ['cms_url', { site_url: 'https://good.example', cms_url: 'bad' }],
    ['key', { key: 5 }],
    ['api_key', { api_key: {} }],
  ])('refuses an invalid %s: %j', async (parameter, members) => {
    const given: Record<string, unknown> = parameter === 'status' ? members : { status: 'success', ...members };
    const answer = await report(given, gateway.headers, path);
    const fault = given[parameter] === undefined ? 'missing' : 'invalid';

    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.body.detail).toEqual({ parameter, allowed: expect.any(String) });
    expect(answer.body.message).toContain(`"${parameter}" of the body is ${fault}`);
    expect((await status()).last_update_status).toBeNull();
  });

  it.each(['null', '[]', '[{}]', '"x"', '5', 'true'])('refuses the body %s', async (body) => {
    const answer = await api.send('POST', path, {
      headers: { ...gateway.headers, 'content-type': 'application/json' },
      body,
    });

    expect([answer.status, answer.body.detail.parameter]).toEqual([400, 'body']);
  });
});

describe('report', () => {
  it('accepts 1.0 as an integer, and ignores unknown members', async () => {
    const { crm, client } = gateway;
    const body = `{"crm":"${crm}","client":"${client}","status":"success","count":1.0,"extra":{"a":[1]},"__proto__":{"status":"x"},"constructor":{"prototype":{}}}`;
    const answer = await api.send('POST', '/v1/report', {
      headers: { ...gateway.headers, 'content-type': 'application/json; charset=utf-8' },
      body,
    });

    expect([answer.status, answer.body.data.count]).toEqual([200, 1]);
  });

  it('has a long message cut between characters, and control characters removed', async () => {
    expect((await report({ status: 'success', message: `${'🏠'.repeat(4_000)}x` })).status).toBe(200);
    expect((await status()).last_update_message).toBe('🏠'.repeat(4_000));
    expect((await report({ status: 'success', message: 'a\u0000b\u001bc\td' })).status).toBe(200);
    expect((await status()).last_update_message).toBe('abc\td');
  });

  it('keeps the additional members about an import, and at most 200 failed listings', async () => {
    const said = { snapshot: 'token', added: 1, updated: 2, removed: 3, plugin: 'Passerelle/1.0' };
    const failed = Array.from({ length: 201 }, (_, n) => ({ affId: `F${n}`, reason: 'no photo' }));
    expect((await report({ status: 'success', ...said, failed })).status).toBe(200);
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ ...said, failed: failed.slice(0, 200) });
  });

  it('accepts a lone surrogate in the message', async () => {
    const { crm, client } = gateway;
    const body = `{"crm":"${crm}","client":"${client}","status":"success","message":"a\\ud800b"}`;
    const headers = { ...gateway.headers, 'content-type': 'application/json' };

    expect((await api.send('POST', '/v1/report', { headers, body })).status).toBe(200);
  });

  it('replaces the previous report, but keeps the newest site address', async () => {
    await report({ status: 'success', count: 3, message: 'a', cms_url: 'http://one.example' });
    await report({ status: 'error' }, { ...gateway.headers, 'user-agent': 'curl/8.1' });

    expect(await status()).toMatchObject({
      cms_url: 'http://one.example',
      last_update_status: 'error',
      last_update_count: null,
      last_update_message: null,
    });
  });

  it.each([
    ['WordPress/6.4.2; https://site.example', 'https://site.example'],
    ['WordPress/6.4.2; https://site.example/blog; Plugin/2.0', 'https://site.example/blog'],
    ['Passerelle/2.1 WordPress/6.4;http://site.example', 'http://site.example'],
    ['curl/8.1', null],
    ['WordPress/6.4; javascript:alert(1)', null],
  ])('takes the site address from the User-Agent %s', async (userAgent, site) => {
    const answer = await report({ status: 'success' }, { ...gateway.headers, 'user-agent': userAgent });

    expect(answer.body.data.cms_url).toBe(site);
    expect((await status()).cms_url).toBe(site);
  });

  it('prefers site_url to cms_url, and both to the User-Agent', async () => {
    const headers = { ...gateway.headers, 'user-agent': 'WordPress/6; https://agent.example' };
    const urls = { site_url: 'https://site.example', cms_url: 'https://cms.example' };

    expect((await report({ status: 'success', ...urls }, headers)).body.data.cms_url).toBe('https://site.example');
    expect((await report({ status: 'success', cms_url: urls.cms_url }, headers)).body.data.cms_url).toBe(
      'https://cms.example',
    );
  });

  it('is stored separately from reports that arrive at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, count) => report({ status: 'success', count })));

    expect(answers.map((answer) => answer.status)).toEqual(Array(40).fill(200));
    const rows = await api.testDatabase.query<{ count: number }>('SELECT count FROM report WHERE gateway_id = $1', [
      gateway.id,
    ]);
    expect(rows.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
  });
});

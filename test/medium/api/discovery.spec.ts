import { request } from 'undici';
import { DatabaseConnection } from '@passerelle/database';
import { addGateway, type ApiUnderTest, startApi } from './api-under-test';

let api: ApiUnderTest;
const DEMO = { crm: 'kyero', client: 'demo', key: 'a "public" <key>' };

beforeAll(async () => {
  api = await startApi({ baseUrl: 'https://listings.example/api', demoGateways: [DEMO] });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => api.close());

describe('discovery', () => {
  it('lists the endpoints and the addresses of the documentation', async () => {
    const { status, body } = await api.get('/v1');

    expect(status).toBe(200);
    expect(
      body.data.endpoints.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`),
    ).toEqual([
      'GET /v1',
      'GET /v1/connectors',
      'GET /v1/status',
      'GET /v1/properties',
      'GET /v1/properties/{id}',
      'GET /v1/search',
      'GET /v1/manifest',
      'GET /v1/changes?since={token}',
      'GET /v1/feed',
      'GET /v1/properties/{id}/history',
      'POST /v1/leads',
      'GET /v1/publications',
      'GET /v1/export/document/{file}?token={token}',
      'POST /v1/webhooks',
      'GET /v1/webhooks',
      'DELETE /v1/webhooks/{id}',
      'POST /v1/report',
      'GET /?variable1={crm}&variable2={client}',
      'POST /report',
      'GET /v1/export/kyero.xml?token={token}',
    ]);
    expect(body.data.documentation).toEqual({
      openapi: 'https://listings.example/api/openapi.json',
      docs: 'https://listings.example/api/docs',
    });
  });

  it('lists the connectors', async () => {
    expect((await api.get('/v1/connectors')).body).toMatchObject({ status: 'success', data: [], count: 0 });
    const connectors = [
      { id: 'apimo', label: 'Apimo', type: 'api' as const, notes: '' },
      { id: 'kyero', label: 'Kyero', type: 'xml' as const, notes: 'v3' },
    ];
    await api.database.connectors.register(connectors);

    expect((await api.get('/v1/connectors?anything=1')).body).toMatchObject({
      status: 'success',
      data: connectors,
      count: 2,
    });
  });

  it('needs no key, and ignores a wrong key', async () => {
    expect((await api.get('/v1', { key: 'wrong' })).status).toBe(200);
    expect((await api.get('/v1/connectors', { authorization: 'Bearer wrong' })).status).toBe(200);
  });
});

describe('/.well-known/security.txt', () => {
  const PATH = '/.well-known/security.txt';

  it('names the contact and the date until which it is valid (RFC 9116)', async () => {
    const contact = 'mailto:security@listings.example';
    const told = await startApi({ securityContact: contact, baseUrl: 'https://listings.example' });
    try {
      // Readers of listings do not need this path, so openapi.json does not describe it.
      const answer = await fetch(told.url + PATH);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      const text = await answer.text();
      const fields = Object.fromEntries(
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/: (.*)/, 2)),
      );
      expect(fields).toMatchObject({ Contact: contact, Canonical: `https://listings.example${PATH}` });
      const days = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000;
      expect(Math.ceil(days)).toBe(180);
      expect((await fetch(told.url + PATH, { method: 'HEAD' })).status).toBe(200);
    } finally {
      await told.close();
    }
  });

  it('does not exist when no contact is set', async () => {
    expect(await api.get(PATH)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('openapi.json', () => {
  it('describes version 1.0.0 of the API in OpenAPI 3.1, with the base address', async () => {
    const { body, headers } = await api.get('/openapi.json');

    expect(body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: '1.0.0' },
      servers: [{ url: 'https://listings.example/api' }],
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/', '/v1', '/v1/properties/{id}', '/v1/report', '/report']),
    );
    expect(Object.keys(body.components.securitySchemes)).toHaveLength(3);
  });
});

describe('/docs', () => {
  it('loads only files of this API', async () => {
    const { status, headers, text } = await api.get('/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(text).toContain('&quot;key&quot;:&quot;a \\&quot;public\\&quot; &lt;key&gt;&quot;');
    const files = [...text.matchAll(/ (?:src|href)="(?!data:|openapi)([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
    for (const file of files) {
      const asset = await request(`${api.url}/${file}`);
      await asset.body.dump();
      expect([file, asset.statusCode]).toEqual([file, 200]);
      expect(asset.headers['content-type']).toMatch(file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      const again = await request(`${api.url}/${file}`, {
        headers: { 'if-none-match': String(asset.headers['etag']) },
      });
      await again.body.dump();
      expect([file, again.statusCode]).toEqual([file, 304]);
    }
  });

  it('serves no file except its own', async () => {
    for (const file of ['package.json', '..%2fpackage.json', 'constructor', 'index.html'])
      expect((await api.get(`/docs/${file}`)).body).toMatchObject({ status: 'error', code: 'NOT_FOUND' });
  });
});

describe('health', () => {
  it('reports that the API is alive and ready', async () => {
    expect((await api.get('/health/live')).body.data).toEqual({ live: true });
    expect((await api.get('/health/ready')).body.data).toEqual({ ready: true });
  });

  it('reports that the API is alive but not ready when its database is unavailable', async () => {
    jest.spyOn(api.app.get(DatabaseConnection), 'assertSchemaFits').mockRejectedValue(new Error('refused'));

    expect((await api.get('/health/live')).status).toBe(200);
    expect((await api.get('/health/ready')).status).toBe(500);
  });

  it('stays ready beside a newer release until that release removes something that this release needs', async () => {
    const insert = 'INSERT INTO schema_migration (timestamp, name) VALUES ($1, $2)';
    try {
      await api.testDatabase.query(insert, [9_000_000_000_001, 'Added9000000000001']);
      expect((await api.get('/health/ready')).status).toBe(200);
      await api.testDatabase.query(insert, [9_000_000_000_002, 'ContractIt9000000000002']);
      const ready = await api.get('/health/ready');
      expect([ready.status, ready.body.message]).toEqual([
        500,
        'Not ready: the database is of a newer release (ContractIt9000000000002): stop this process and start the newer one.',
      ]);
    } finally {
      await api.testDatabase.query('DELETE FROM schema_migration WHERE timestamp > 9000000000000');
    }
  });
});

describe('API processes', () => {
  it('reject requests without TLS when HTTPS is required, except requests for the health of the process', async () => {
    const strict = await startApi(
      { requireHttps: true, trustProxy: ['127.0.0.1/32'] },
      { headers: { 'x-forwarded-proto': 'https' } },
    );
    try {
      const gateway = await addGateway(strict.database, { listings: [{ affId: 'a' }] });
      const path = `/v1/properties?${gateway.query}`;
      for (let round = 0; round < 2; round += 1) {
        const scheme = round === 0 ? 'https' : 'HTTPS';
        const secure = await strict.get(path, { ...gateway.headers, 'x-forwarded-proto': scheme });
        expect([secure.status, secure.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
        for (const headers of [gateway.headers, { ...gateway.headers, 'x-forwarded-proto': 'http' }]) {
          const plain = await strict.get(path, headers);
          expect([plain.status, plain.body.message]).toEqual([400, 'HTTPS is required.']);
        }
      }
      expect((await strict.get('/health/live')).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  it('ignore X-Forwarded-Proto from an address that is not a trusted proxy', async () => {
    const strict = await startApi({ requireHttps: true, trustProxy: ['10.0.0.0/8'] }, { description: api.contract });
    try {
      expect((await strict.get('/v1', { 'x-forwarded-proto': 'https' })).status).toBe(400);
    } finally {
      await strict.close();
    }
  });

  it('limit the requests for one gateway from one address when a limit is set', async () => {
    const limited = await startApi({ rateLimitPerMinute: 3 });
    try {
      const one = await addGateway(limited.database, { listings: [{ affId: 'a' }] });
      const other = await addGateway(limited.database, { listings: [{ affId: 'b' }] });
      const list = (of: typeof one) => limited.get(`/v1/properties?${of.query}`, of.headers);
      const statuses = [await list(one), await list(one), await list(one), await list(one)].map(({ status }) => status);

      expect(statuses).toEqual([200, 200, 200, 429]);
      const refused = await list(one);
      expect([refused.body.code, Number(refused.headers['retry-after']) > 0]).toEqual(['RATE_LIMITED', true]);
      const rate = { 'ratelimit-limit': '3', 'ratelimit-reset': expect.stringMatching(/^\d+$/) };
      expect(refused.headers).toMatchObject({ ...rate, 'ratelimit-remaining': '0' });
      const answer = await list(other);
      expect(answer).toMatchObject({ status: 200, headers: { ...rate, 'ratelimit-remaining': '2' } });
      limited.clock.skip(60_000);
      expect((await list(one)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('do not count wrong keys against the rate limit of a right key from the same address', async () => {
    const limited = await startApi({ rateLimitPerMinute: 3 });
    try {
      const gateway = await addGateway(limited.database, { listings: [{ affId: 'a' }] });
      const path = `/v1/properties?${gateway.query}`;
      const wrong = await Promise.all(Array.from({ length: 20 }, () => limited.get(path, { key: 'wrong' })));
      expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
      const answer = await limited.get(path, gateway.headers);
      expect([answer.status, answer.headers['ratelimit-remaining']]).toEqual([200, '2']);
    } finally {
      await limited.close();
    }
  });

  it('answer a gateway name of 15,000 letters like any unknown gateway', async () => {
    const limited = await startApi({ rateLimitPerMinute: 3 });
    try {
      const long = 'a'.repeat(15_000);
      const answers = [await limited.get(`/v1/status?crm=kyero&client=${long}`, { key: 'x' })];
      for (let n = 0; n < 4; n += 1) answers.push(await limited.get(`/v1/status?crm=${long}&client=a`, { key: 'x' }));
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        Array.from({ length: 5 }, () => [401, 'AUTH_FAILED']),
      );
    } finally {
      await limited.close();
    }
  });
});

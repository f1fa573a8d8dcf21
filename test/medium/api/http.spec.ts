import { once } from 'node:events';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Connectors, Reports, ServedListings } from '@passerelle/database';
import type { Answer } from '../../support/answer';
import { answersIn } from '../../support/raw-http';
import { Pages } from '../../../apps/api/src/properties/pages';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';

let api: ApiUnderTest;
let gateway: SeededGateway;

beforeAll(async () => {
  api = await startApi();
  gateway = await addGateway(api.database, { listings: someListings(3) });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => api.close());

/** Sends bytes that no HTTP client would send, and reads the answer until the server closes. */
async function raw(bytes: string, { hasMore = false } = {}): Promise<Answer> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  if (hasMore) socket.write(bytes, 'latin1');
  else socket.end(bytes, 'latin1');
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk as string;
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((one) => [one.split(': ')[0]?.toLowerCase(), one.slice(one.indexOf(': ') + 2)]),
  );
  const answer = { status: Number(line.split(' ')[1]), headers, text: body, body: JSON.parse(body) };
  api.contract.check('RAW', '/', answer);
  return answer;
}

describe('unknown path', () => {
  it.each([
    '/nope',
    '/v1/',
    '/v2',
    '/v1/propertie',
    '/V1/status',
    '//',
    '/v1/status/',
    '/.env',
    '/v1/report/x',
    '/health',
    '/*',
    '/:id',
  ])('is NOT_FOUND with any method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) {
      const answer = await api.send(method, path);
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    }
  });

  it('is NOT_FOUND before its body is read', async () => {
    const answer = await api.send('POST', '/nope', { headers: { 'content-type': 'application/json' }, body: '{' });

    expect(answer.status).toBe(404);
  });
});

describe('invalid address', () => {
  it.each(['/%', '/%zz', '/v1/%ff', '/v1/properties/%C3%28'])('gets BAD_REQUEST with any method: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PROPFIND']) {
      const answer = await api.send(method, path, { headers: { 'x-request-id': 'mine' } });
      expect([method, answer.status, answer.headers['x-request-id']]).toEqual([method, 400, 'mine']);
    }
  });

  it.each(['GET', 'OPTIONS'])('gets NOT_FOUND when it is only an asterisk: %s *', async (method) => {
    const answer = await raw(`${method} * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

    expect(answer.status).toBe(404);
  });
});

describe('known path with another method', () => {
  const GET_PATHS = [
    '/',
    '/v1',
    '/v1/connectors',
    '/v1/status',
    '/v1/properties',
    '/v1/properties/x',
    '/openapi.json',
    '/docs',
  ];

  it.each([
    ...GET_PATHS.flatMap((path) =>
      ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].map((method) => [method, path, 'GET, HEAD']),
    ),
    ...['/v1/report', '/report'].flatMap((path) =>
      ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'LOCK'].map((method) => [method, path, 'POST']),
    ),
  ])('is METHOD_NOT_ALLOWED: %s %s', async (method, path, allow) => {
    const answer = await api.send(method, `${path}?crm=x`, { headers: gateway.headers });

    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
    if (method !== 'HEAD') expect(answer.body.code).toBe('METHOD_NOT_ALLOWED');
  });

  it('is METHOD_NOT_ALLOWED before its body is read', async () => {
    const answer = await api.send('PUT', '/v1/report', { headers: { 'content-type': 'text/xml' }, body: '<' });

    expect(answer.status).toBe(405);
  });
});

describe('request body', () => {
  const post = (contentType: string | null, body: string | Buffer) =>
    api.send('POST', '/v1/report', {
      headers: { ...gateway.headers, ...(contentType !== null && { 'content-type': contentType }) },
      body,
    });

  it.each<[string, string | null, string | Buffer]>([
    ['JSON that ends early', 'application/json', '{"crm":'],
    ['JSON with an extra comma', 'application/json', '{"crm":"a",}'],
    ['text that is not JSON', 'application/json', 'crm=a&client=b'],
    ['an empty body', 'application/json', ''],
    ['bytes that are not UTF-8', 'application/json', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a NUL character', 'application/json', '\0'],
    ['a form', 'application/x-www-form-urlencoded', 'crm=a&client=b&status=success'],
    ['plain text', 'text/plain', '{"crm":"a","client":"b","status":"success"}'],
    ['XML', 'application/xml', '<report/>'],
    ['another JSON content type', 'application/merge-patch+json', '{}'],
    ['no content type', null, '{"crm":"a","client":"b","status":"success"}'],
    ['a broken content type', 'json', '{}'],
    ['an empty content type', '', '{}'],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['a body that is too large', 'application/json', `{"message":"${'x'.repeat(70_000)}"}`],
    ['thousands of arrays that are not closed', 'application/json', '['.repeat(30_000)],
    ['thousands of nested arrays', 'application/json', '['.repeat(30_000) + ']'.repeat(30_000)],
  ])('causes BAD_REQUEST when it is invalid: %s', async (_title, contentType, body) => {
    const answer = await post(contentType, body);

    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.body.message).toMatch(/body/);
  });

  it('causes an error about invalid UTF-8, with a Content-Length or in chunks', async () => {
    const { crm, client } = gateway;
    const latin1 = Buffer.from(JSON.stringify({ crm, client, status: 'success', message: 'reçu' }), 'latin1');
    const head = `POST /v1/report HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nKey: ${gateway.headers['key']}\r\n`;
    for (const framed of [
      `Content-Length: ${latin1.length}\r\n\r\n${latin1.toString('latin1')}`,
      `Transfer-Encoding: chunked\r\n\r\n${latin1.length.toString(16)}\r\n${latin1.toString('latin1')}\r\n0\r\n\r\n`,
    ]) {
      const answer = await raw(head + framed);
      expect([answer.status, answer.body.message]).toEqual([400, 'The body is not valid UTF-8.']);
    }
  });

  it('causes the error envelope when it has 5 MB', async () => {
    const body = Buffer.alloc(5_000_000, ' ');
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(
      `POST /v1/report HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    // Acts as a client that reads only after it has sent everything.
    for (let at = 0; at < body.length; at += 500_000) {
      await new Promise((resolve) => socket.write(body.subarray(at, at + 500_000), resolve));
    }
    const [answered] = (await once(socket, 'data')) as [Buffer];
    expect(answered.toString()).toMatch(/^HTTP\/1.1 400 .*must not be larger/s);
    socket.destroy();
    for (let round = 0; round < 3; round += 1) {
      const answer = await post('application/json', body);
      expect([answer.status, answer.body.message]).toEqual([400, 'The body must not be larger than 65536 bytes.']);
    }
  });

  it('may have up to 64 KiB', async () => {
    const { crm, client } = gateway;
    const report = JSON.stringify({ crm, client, status: 'success', ignored: '' });
    const body = report.replace('""', `"${'x'.repeat(64 * 1024 - report.length)}"`);

    expect((await post('application/json', body)).status).toBe(200);
    expect((await post('application/json', `${body} `)).status).toBe(400);
  });
});

describe('HTTP request with unusual syntax', () => {
  it.each([
    ['a header of 100 KB', `GET /v1 HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 400],
    ['an address of 100 KB', `GET /v1?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ['a NUL in the address', 'GET /v1\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a NUL in a header', 'GET /v1 HTTP/1.1\r\nHost: x\r\nKey: a\0b\r\n\r\n', 400],
    ['a space in the address', 'GET /v1 x HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no Host header', 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Host headers', 'GET /v1 HTTP/1.1\r\nHost: x\r\nhOsT: y\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'POST /v1/report HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    [
      'a Content-Length header and a chunked body',
      'POST /v1/report HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a negative Content-Length', 'POST /v1/report HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['HTTP/3.7', 'GET /v1 HTTP/3.7\r\nHost: x\r\n\r\n', 400],
    ['an invented method', 'BREW /v1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['a method in lower case', 'get /v1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['an invented method on an unknown path', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('gets the error envelope when it is malformed: %s', async (_title, bytes, status) => {
    const answer = await raw(bytes);

    expect(answer.status).toBe(status);
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    if (status === 405) expect(answer.headers['allow']).toContain('GET');
  });

  it('is refused when it is malformed, even if its page is in memory', async () => {
    const path = `/v1/properties?${gateway.query}`;
    for (let round = 0; round < 2; round += 1) await api.get(path, gateway.headers);
    const start = `GET ${path} HTTP/1.1\r\nKey: ${gateway.key}\r\n`;

    expect((await raw(`${start}Host: x\r\nHost: y\r\n\r\n`)).status).toBe(400);
    expect((await raw(`${start}Connection: close\r\n\r\n`)).status).toBe(400);
  });

  it.each([
    ['an address with scheme and host', 'GET http://x/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['an Expect header', 'GET /v1 HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n'],
    ['an Upgrade header', 'GET /v1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: close, upgrade\r\n\r\n'],
    ['HTTP/1.0', 'GET /v1 HTTP/1.0\r\n\r\n'],
    [
      'a body on GET',
      'GET /v1 HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 1\r\nConnection: close\r\n\r\n<',
    ],
  ])('is served when it is valid: %s', async (_title, bytes) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.end(bytes);
    let text = '';
    for await (const chunk of socket.setEncoding('utf8')) text += chunk as string;

    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('request with Expect: 100-continue', () => {
  const EXPECTS = 'Host: x\r\nExpect: 100-continue\r\n';
  const report = (): { start: string; body: string } => {
    const body = JSON.stringify({ crm: gateway.crm, client: gateway.client, status: 'success' });
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return { start: `POST /v1/report HTTP/1.1\r\nKey: ${gateway.key}\r\n${EXPECTS}${length}`, body };
  };

  async function exchange(first: string, onContinue = ''): Promise<string> {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(first, 'latin1');
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      const wasTold = text.includes('100 Continue');
      text += chunk as string;
      if (!wasTold && text.includes('100 Continue')) socket.write(onContinue, 'latin1');
    }
    return text;
  }

  it('gets its whole answer, byte for byte, when it waits behind another request', async () => {
    const gzipped = `GET /openapi.json HTTP/1.1\r\n${EXPECTS}Accept-Encoding: gzip\r\nConnection: close\r\n\r\n`;
    const text = await exchange(
      `GET /v1/properties?${gateway.query} HTTP/1.1\r\nHost: x\r\nKey: ${gateway.key}\r\n\r\n${gzipped}`,
    );

    const answers = answersIn(text);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const description = gunzipSync(Buffer.from(answers[1]?.body ?? '', 'latin1')).toString();
    expect(JSON.parse(description)).toHaveProperty('openapi');
  });

  it('gets 100 Continue, and then its answer', async () => {
    const { start, body } = report();
    const text = await exchange(`${start}Connection: close\r\n\r\n`, body);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('gets 100 Continue after the answers to earlier requests', async () => {
    const { start, body } = report();
    const before = `GET /v1/properties?${gateway.query} HTTP/1.1\r\nHost: x\r\nKey: ${gateway.key}\r\n\r\n`;
    const text = await exchange(`${before}${start}Connection: close\r\n\r\n`, body);
    expect(answersIn(text).map(({ status }) => status)).toEqual([200, 200]);
    expect(text).toMatch(/\}HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('keeps its position in a pipeline', async () => {
    const ask = (id: string, more = ''): string => `GET /v1 HTTP/1.1\r\nX-Request-Id: ${id}\r\n${more}\r\n`;
    const last = ask('d', 'Host: x\r\nConnection: close\r\n');
    const row = [ask('a', EXPECTS), ask('b', EXPECTS), ask('c', 'Host: x\r\n'), last].join('');
    const answers = answersIn(await exchange(row));
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gets its answer before the invalid HTTP behind it is refused', async () => {
    const text = await exchange(`GET /v1 HTTP/1.1\r\nHost: x\r\n\r\nGET /v1 HTTP/1.1\r\n${EXPECTS}\r\nGARBAGE`);
    expect(answersIn(text).map(({ status }) => status)).toEqual([200, 200, 400]);
  });
});

describe('slow request', () => {
  it.each([
    ['header', 'POST /v1/report HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['body', 'POST /v1/report HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
  ])('with a slow %s ends with the error envelope after the time limit', async (_where, start) => {
    const server = api.app.getHttpServer();
    expect(server.requestTimeout).toBe(30_000);
    Object.assign(server, { requestTimeout: 300, headersTimeout: 300 });
    try {
      const { status, body } = await raw(start, { hasMore: true });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    } finally {
      Object.assign(server, { requestTimeout: 30_000, headersTimeout: 30_000 });
    }
  });
});

describe('X-Request-Id', () => {
  it.each(['a', 'A-b_c.9', 'x'.repeat(128)])('is kept when its value is valid: %s', async (id) => {
    for (const path of ['/v1', '/nope', `/v1/status?${gateway.query}`, `/v1/properties?${gateway.query}`]) {
      const answer = await api.get(path, { ...gateway.headers, 'x-request-id': id });
      expect([answer.headers['x-request-id'], answer.body.request_id]).toEqual([id, id]);
    }
  });

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'é', '"', '<script>', 'a,b', 'a/b'])(
    'is replaced when its value is invalid: "%s"',
    async (id) => {
      const answer = await api.get('/v1', { 'x-request-id': id });

      expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{8,128}$/);
      expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    },
  );

  it('is replaced when the client sends it twice', async () => {
    const answer = await raw(
      'GET /nope HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n',
    );

    expect(answer.body.request_id).toMatch(/^[A-Za-z0-9._-]{8,128}$/);
  });
});

describe('internal error', () => {
  it('reveals no details', async () => {
    jest.spyOn(api.app.get(Reports), 'latest').mockRejectedValue(new Error('password=hunter2 at /srv/app.js'));
    const answer = await api.get(`/v1/status?${gateway.query}`, gateway.headers);

    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toMatch(/hunter2|\/srv/);
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });

  it('gets status 500 even when the error object has another status code', async () => {
    jest
      .spyOn(api.app.get(Connectors), 'list')
      .mockRejectedValue(Object.assign(new Error('x'), { statusCode: 404, code: '42P01' }));

    expect((await api.get('/v1/connectors')).status).toBe(500);
  });

  it('does not occur when the fast path throws: the controller serves the page', async () => {
    const path = `/v1/properties?${gateway.query}&per_page=3`;
    for (let round = 0; round < 2; round += 1) await api.get(path, gateway.headers);
    jest.spyOn(api.app.get(Pages), 'cached').mockImplementationOnce(() => {
      throw new Error('unexpected');
    });

    expect((await api.get(path, gateway.headers)).status).toBe(200);
  });

  it('is returned, and not cached, when the API cannot read a page', async () => {
    const page = jest
      .spyOn(api.app.get(ServedListings), 'page')
      .mockRejectedValueOnce(new Error('gone'))
      .mockResolvedValueOnce(null);
    const path = `/v1/properties?${gateway.query}&per_page=2`;

    expect((await api.get(path, gateway.headers)).status).toBe(500);
    expect((await api.get(path, gateway.headers)).status).toBe(500);
    page.mockRestore();
    expect((await api.get(path, gateway.headers)).body.data).toHaveLength(2);
  });
});

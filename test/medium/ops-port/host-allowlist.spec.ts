import { once } from 'node:events';
import { connect } from 'node:net';
import { BEARER, type IngestorUnderTest, startIngestor } from './ingestor-under-test';

// Real: HTTP, PostgreSQL, the queue on it, Bull Board. Fake: the CRM, which gets no request.
let ingestor: IngestorUnderTest;
beforeAll(async () => {
  ingestor = await startIngestor({ opsHosts: ['ops.example.org'] });
});
afterAll(() => ingestor.close());

/** Sends these bytes, and returns the server's answer up to the end of the connection. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(ingestor.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const jsonBodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

describe('ops port', () => {
  it('checks the token before it reads a body', async () => {
    const head =
      'POST /ingest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n';
    // The test sends no byte of the body.
    const answer = await raw(`${head}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(jsonBodyOf(answer)).toEqual({ error: 'give the OPS_TOKEN as a bearer token' });
    expect(await ingestor.send('POST', '/ingest', { body: 'no JSON', headers: {} })).toMatchObject({ status: 401 });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'rejects the content type %s',
    async (type) => {
      const body = 'crm=kyero&client=agency';
      const headers = { ...BEARER, 'content-type': type };
      const answer = await ingestor.send('POST', '/ingest', { body, headers });
      expect([answer.status, answer.body]).toEqual([415, { error: expect.any(String) }]);
    },
  );

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['a request without a Host header', 'GET /health/live HTTP/1.1\r\n\r\n', 403],
    ['an address that cannot be decoded', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown path', 'GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 404],
    [
      'an unknown path of the board',
      'GET /queues/nope/nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      404,
    ],
  ])('answers %s with an error in the common format', async (_what, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    expect(jsonBodyOf(answer)).toEqual({ error: expect.any(String) });
  });

  it.each(['rebound.example', 'rebound.example:3001', '127.0.0.1.rebound.example'])(
    'refuses requests that reach it as %s',
    async (host) => {
      for (const path of ['/health/live', '/metrics', '/queues', '/nope']) {
        expect(await ingestor.get(path, { ...BEARER, host })).toMatchObject({
          status: 403,
          body: { error: 'the Host header names none of the hosts of the ops port: see OPS_HOSTS' },
        });
      }
    },
  );

  it('is reachable under the names in OPS_HOSTS', async () => {
    expect(await ingestor.get('/health/live', { host: 'ops.example.org:3001' })).toMatchObject({ status: 200 });
  });

  it.each(['/metrics', '/%6detrics', '/metrics?x=1', '/queues', '/queues/', '/queues/api/queues'])(
    'requires the token at %s',
    async (path) => {
      expect(await ingestor.get(path)).toMatchObject({ status: 401, body: { error: expect.any(String) } });
    },
  );

  it('shows the metrics with the token, even when a browser sends the token as a password', async () => {
    const basic = `Basic ${Buffer.from(`me:${BEARER.authorization.slice(7)}`).toString('base64')}`;
    expect(await ingestor.get('/metrics', BEARER)).toMatchObject({ status: 200 });
    expect(await ingestor.get('/metrics', { authorization: basic })).toMatchObject({ status: 200 });
  });

  it('limits guesses by network, counts them, and never limits the token', async () => {
    const guess = () => ingestor.get('/metrics', { authorization: 'Bearer guess' });
    const statuses: number[] = [];
    for (let n = 0; n < 70; n += 1) statuses.push((await guess()).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(await guess()).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: { error: 'too many wrong tokens: at most 60 a minute' },
    });
    // A request without a token still gets the challenge that browsers need.
    expect(await ingestor.get('/queues')).toMatchObject({ status: 401 });
    const { status, text } = await ingestor.get('/metrics', BEARER);
    expect(status).toBe(200);
    expect(text).toMatch(/^passerelle_ops_wrong_tokens_total\{answer="refused"\} 60$/m);
    expect(text).toMatch(/^passerelle_ops_wrong_tokens_total\{answer="limited"\} 11$/m);
  });
});

describe('OPS_METRICS_OPEN', () => {
  it('lets its networks read the metrics without the token, but nothing else', async () => {
    const open = await startIngestor({ metricsOpenTo: ['127.0.0.0/8'] });
    expect(await open.get('/metrics')).toMatchObject({ status: 200 });
    expect(await open.get('/queues')).toMatchObject({ status: 401 });
    await open.close();
    const other = await startIngestor({ metricsOpenTo: ['192.0.2.0/24'] });
    expect(await other.get('/metrics')).toMatchObject({ status: 401 });
    await other.close();
  });
});

import { randomBytes } from 'node:crypto';
import { removeTestKeys } from '../../support/test-redis';
import { BEARER, type IngestorUnderTest, OPS_TOKEN, startIngestor } from './ingestor-under-test';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Tests the board, for any store of the queue. */
export function describeBoard(store: 'postgres' | 'redis', redisUrlOf: () => Promise<string | null>): void {
  const redisPrefix = `test-${randomBytes(4).toString('hex')}`;
  let redisUrl: string | null;
  let ingestor: IngestorUnderTest;
  beforeAll(async () => {
    redisUrl = await redisUrlOf();
    ingestor = await startIngestor({ redisUrl, redisPrefix });
  });
  afterAll(async () => {
    await ingestor.close();
    if (redisUrl !== null) await removeTestKeys(redisUrl, redisPrefix);
  });

  const queue = async (status = 'latest') => {
    const path = `/queues/api/queues?activeQueue=ingest&status=${status}&page=1&jobsPerPage=10`;
    return (await ingestor.get(path, BEARER)).body.queues[0];
  };

  it('requests the password from a browser, then shows the board', async () => {
    expect(await ingestor.get('/queues')).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringMatching(/^Basic realm="/) },
    });
    const page = await ingestor.get('/queues', { authorization: basic('anyone', OPS_TOKEN) });
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-type': expect.stringContaining('text/html'),
        'content-security-policy': expect.stringContaining("default-src 'self'"),
      },
    });
    expect(page.text).toContain('<base href="/queues/"');
    const script = /src="(static\/js\/main[^"]+)"/.exec(page.text)?.[1] ?? '';
    expect(await ingestor.get(`/queues/${script}`)).toMatchObject({ status: 401 });
    expect(await ingestor.get(`/queues/${script}`, { authorization: basic('', OPS_TOKEN) })).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('javascript') },
    });
  });

  it.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer other' }],
    ['another password', { authorization: basic('ops', 'other') }],
    ['the token as the user', { authorization: basic(OPS_TOKEN, '') }],
    ['an unknown scheme', { authorization: `Digest ${OPS_TOKEN}` }],
  ])('shows nothing to a visitor with %s', async (_what, headers) => {
    expect(await ingestor.get('/queues/api/queues', headers)).toMatchObject({ status: 401 });
    expect(await ingestor.send('PUT', '/queues/api/queues/ingest/pause', { headers })).toMatchObject({ status: 401 });
  });

  it('shows the queue and its store', async () => {
    expect(await queue()).toMatchObject({ name: 'ingest', type: 'bullmq', isPaused: false });
    expect(await ingestor.get('/queues/api/redis/stats', BEARER)).toMatchObject({
      status: 200,
      body: { backend: store },
    });
  });

  it('is read-only and refuses every command, because the audit would not record it', async () => {
    for (const [method, path] of [
      ['PUT', '/queues/api/queues/ingest/pause'],
      ['PUT', '/queues/api/queues/pause'],
      ['PUT', '/queues/api/queues/ingest/clean/prioritized'],
    ] as const) {
      const answer = await ingestor.send(method, path, { headers: { ...BEARER, origin: ingestor.url } });
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
    expect(await queue()).toMatchObject({ isPaused: false, readOnlyMode: true });
  });
}

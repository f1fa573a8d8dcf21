import { once } from 'node:events';
import { connect } from 'node:net';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import { addGateway, type ApiUnderTest, type SeededGateway, someListings, startApi } from './api-under-test';
import { until } from '../../support/waiting';

// Real: HTTP, PostgreSQL behind a link that can be cut. Fake: the ingestor.
describe('API log', () => {
  let lines: Record<string, unknown>[];
  let link: BreakableLink;
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  beforeAll(async () => {
    const stream = { write: (line: string): unknown => lines.push(JSON.parse(line) as Record<string, unknown>) };
    lines = [];
    const wayTo = async (url: string): Promise<string> => (link = await linkTo(url)).url;
    api = await startApi({}, { log: stream, wayTo });
    gateway = await addGateway(api.database, { listings: someListings(3) });
  });
  beforeEach(() => {
    lines = [];
  });
  afterAll(async () => {
    await api.close();
    await link.close();
  });

  const written = async (count: number): Promise<void> => until(() => Promise.resolve(lines.length >= count));

  it('has one line per answer, also for a cached page, and contains no key', async () => {
    const path = `/v1/properties?${gateway.query}`;
    const { text } = await api.get(path, { ...gateway.headers, 'x-request-id': 'first' });
    await api.get(path, { ...gateway.headers, 'x-request-id': 'second' });
    await api.get(`${path}&key=psr_secret`, { key: 'psr_wrong', 'x-request-id': 'third' });
    await written(4);
    const same = { service: 'api', level: 30, msg: 'answered', method: 'GET', path: '/v1/properties', crm: 'kyero' };
    const figures = { ms: expect.any(Number), bytes: expect.any(Number), time: expect.any(String) };
    const line = { ...same, ...figures, client: gateway.client };
    const answered = lines.filter(({ msg }) => msg === 'answered');
    expect(answered).toEqual([
      { ...line, requestId: 'first', status: 200, cache: 'hit' },
      { ...line, requestId: 'second', status: 200, cache: 'hit' },
      { ...line, requestId: 'third', status: 401, cache: 'none' },
    ]);
    expect(lines.filter((other) => !answered.includes(other))).toMatchObject([{ msg: 'keys were refused', count: 1 }]);
    for (const { bytes, time } of answered.slice(0, 2)) {
      expect(bytes).toBeGreaterThan(text.length);
      expect(new Date(String(time)).toISOString()).toBe(time);
    }
    expect(JSON.stringify(lines)).not.toContain('psr_');
  });

  it('names the run that a stale read requested; the run names the request', async () => {
    const stale = await addGateway(api.database, { listings: someListings(1) });
    await api.testDatabase.query(`UPDATE gateway SET confirmed_at = now() - interval '1 day' WHERE id = $1`, [
      stale.id,
    ]);
    await api.get(`/v1/properties?${stale.query}`, { ...stale.headers, 'x-request-id': 'the-stale-read' });
    await written(2);
    const line = lines.find(({ msg }) => msg === 'requested a run');
    expect(line).toMatchObject({
      requestId: 'the-stale-read',
      crm: 'kyero',
      client: stale.client,
      trigger: 'stale-read',
    });
    const details = await api.database.runHistory.details(Number(line?.['run']));
    expect(details).toMatchObject({ askedBy: 'reader', requestId: 'the-stale-read' });
  });

  it('omits the gateway when its slug is invalid', async () => {
    await api.get('/v1/properties?crm=<b>&client=a%20b', gateway.headers);
    await written(1);
    expect(lines).toMatchObject([{ status: 400 }]);
    expect(Object.keys(lines[0] ?? {})).not.toContain('crm');
  });

  it('shows a reader that disconnects as aborted, not as an error', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const arrived = once(api.app.getHttpServer(), 'request');
    socket.write(
      'POST /v1/report HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    await arrived;
    socket.resetAndDestroy();
    await written(1);
    expect(lines).toMatchObject([{ level: 30, path: '/v1/report', status: 'aborted' }]);
  });

  it('has one error line for an unavailable database, even when many requests fail', async () => {
    await link.cut();
    const path = `/v1/properties?${gateway.query}&page=2`;
    await Promise.all(Array.from({ length: 5 }, () => api.get(path, gateway.headers)));
    expect((await api.get('/health/ready')).status).toBe(500);
    await written(6);
    const errors = lines.filter(({ level }) => level !== 30);
    expect(errors).toMatchObject([{ msg: 'the database does not answer', failures: 1 }]);
    expect(Object.keys(errors[0] ?? {})).not.toContain('err');
    await link.mend();
  });
});

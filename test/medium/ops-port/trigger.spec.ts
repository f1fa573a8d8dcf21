import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { BEARER, type IngestorUnderTest, startIngestor } from './ingestor-under-test';
import { until } from '../../support/waiting';

// Real: HTTP, PostgreSQL, the queue on it, the run. Fake: the CRM.
describe('POST /ingest', () => {
  let ingestor: IngestorUnderTest;
  beforeAll(async () => {
    ingestor = await startIngestor();
    ingestor.crm.answer = { body: aKyeroFeed(ids(3).map((id) => aProperty(id))) };
    await ingestor.addGateway();
    await ingestor.addGateway({ client: 'over', contractEnd: '2020-01-31' });
    const disabled = await ingestor.addGateway({ client: 'disabled' });
    await ingestor.database.gateways.setEnabled(disabled, false);
  });
  afterAll(async () => {
    await ingestor.close();
  });

  const post = (body: string | object, headers: Record<string, string> = BEARER) =>
    ingestor.send('POST', '/ingest', { body, headers });

  it('requests a run and answers immediately, and the ingestor carries out the run', async () => {
    const answer = await post({ crm: 'kyero', client: 'agency' });
    expect(answer).toMatchObject({
      status: 202,
      body: { id: expect.any(Number), crm: 'kyero', client: 'agency', trigger: 'http' },
    });
    await until(async () => (await ingestor.database.runHistory.find(answer.body.id))?.state === 'published');
    expect(await ingestor.database.runHistory.find(answer.body.id)).toMatchObject({ records: 3, added: 3 });
    const [recorded] = await ingestor.database.audit.list({ limit: 1 });
    expect(recorded).toMatchObject({ who: 'operator', through: 'http', act: 'ingest', runId: answer.body.id });
  });

  it('requests a dry and forced run', async () => {
    const answer = await post({ crm: 'kyero', client: 'agency', dry_run: true, force: true });
    expect(answer).toMatchObject({ status: 202, body: { trigger: 'http', dry_run: true, forced: true } });
  });

  it('requests runs of all active gateways', async () => {
    const answer = await post({ all: true });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject([{ crm: 'kyero', client: 'agency', trigger: 'http' }]);
  });

  it.each([
    ['an unknown gateway', { crm: 'kyero', client: 'nobody' }, 404, 'there is no gateway kyero/nobody'],
    [
      'a disabled gateway',
      { crm: 'kyero', client: 'disabled' },
      409,
      'the gateway kyero/disabled does not run: it is disabled',
    ],
    [
      'a gateway whose contract has ended',
      { crm: 'kyero', client: 'over' },
      409,
      'the gateway kyero/over does not run: its contract ended on 2020-01-31',
    ],
    ['a missing member', { crm: 'kyero' }, 400, 'client: expected string, received undefined'],
    ['an unknown member', { crm: 'kyero', client: 'agency', dryRun: true }, 400, 'Unrecognized key: "dryRun"'],
    [
      'an invalid client',
      { crm: 'kyero', client: '../etc' },
      400,
      'client: expected letters, digits, hyphens and underscores',
    ],
    [
      'one gateway together with "all"',
      { all: true, crm: 'kyero', client: 'agency' },
      400,
      'Unrecognized keys: "crm", "client"',
    ],
    ['"all" that is not true', { all: 'yes' }, 400, 'all: expected true'],
    [
      'a body that is not an object',
      '[]',
      400,
      'the body must be a JSON object: {"crm": "…", "client": "…"} or {"all": true}',
    ],
  ])('refuses %s', async (_what, body, status, error) => {
    expect(await post(body)).toMatchObject({ status, body: { error } });
  });

  it('refuses invalid JSON and a body that is too long', async () => {
    expect(await post('{"crm":')).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect(await post(JSON.stringify('x'.repeat(70_000)))).toMatchObject({
      status: 413,
      body: { error: expect.any(String) },
    });
  });

  it('refuses requests without the token', async () => {
    const body = { crm: 'kyero', client: 'agency' };
    const basic = `Basic ${Buffer.from('ops:the-token-of-the-operators').toString('base64')}`;
    const without = await post(body, {});
    expect(without).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(without.body).toEqual({ error: 'give the OPS_TOKEN as a bearer token' });
    expect(await post(body, { authorization: 'Bearer wrong' })).toMatchObject({
      status: 401,
      body: { error: 'this is not the OPS_TOKEN' },
    });
    expect(await post(body, { authorization: basic })).toMatchObject({ status: 401 });
  });
});

describe('ingestor without an OPS_TOKEN', () => {
  let ingestor: IngestorUnderTest;
  beforeAll(async () => {
    ingestor = await startIngestor({ opsToken: null });
  });
  afterAll(async () => {
    await ingestor.close();
  });

  it.each([
    ['POST', '/ingest'],
    ['GET', '/metrics'],
    ['GET', '/queues'],
    ['GET', '/queues/api/queues'],
  ])('refuses %s %s, whatever token the request has', async (method, path) => {
    for (const headers of [{}, BEARER, { authorization: 'Bearer null' }, { authorization: 'Bearer ' }]) {
      expect(await ingestor.send(method, path, { headers })).toMatchObject({
        status: 403,
        body: { error: 'access is closed: the ingestor has no OPS_TOKEN' },
      });
    }
  });

  it.each(['/health/live', '/health/ready'])('answers %s', async (path) => {
    expect(await ingestor.get(path)).toMatchObject({ status: 200 });
  });

  it('answers an unknown path with JSON', async () => {
    expect(await ingestor.get('/nothing')).toMatchObject({ status: 404, body: { error: 'Cannot GET /nothing' } });
  });
});

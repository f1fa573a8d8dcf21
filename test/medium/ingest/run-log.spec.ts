import { loadRegistry } from '@passerelle/connectors';
import { STORED_LOG_LINES } from '@passerelle/domain';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SECRET = 'hunter2hunter2';

// Real: PostgreSQL, HTTP, the connector, the log. Fake: the CRM behind the HTTP server.
describe('log lines of a run', () => {
  let db: TestDatabase;
  let crm: FeedServer;
  let gatewayId: number;

  beforeEach(async () => {
    db = await createTestDatabase();
    crm = await startFeedServer();
    const source = new URL(crm.url);
    [source.username, source.password] = ['agency', SECRET];
    source.searchParams.set('token', SECRET);
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'agency', sourceUrl: source.href, settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
  });
  afterEach(async () => {
    await crm.close();
    await db.drop();
  });

  const run = async (): Promise<number> => {
    const id = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const outbound = { allowPrivate: new Set([crm.hostAndPort]) };
    await runWaiting(db.database, gatewayId, { registry: await loadRegistry(), outbound });
    return id;
  };
  const textsOf = async (id: number): Promise<string[]> =>
    (await db.database.runHistory.logLines(id))?.lines.map(({ level, text }) => `${level} ${text}`) ?? [];

  it('contain the request, the duration of each step and the outcome, without a secret', async () => {
    crm.answer = { body: aKyeroFeed([aProperty('A'), aProperty('B')]), headers: {} };
    const texts = await textsOf(await run());
    expect(texts).toEqual([
      expect.stringMatching(/^debug run taken up waitedMs=\d+$/),
      expect.stringMatching(/^debug asked http:\/\/\S+ status=200 bytes=\d+ ms=\d+$/),
      expect.stringMatching(/^debug steps, in ms: fetch and read=\d+ judge=\d+ publish=\d+$/),
      expect.stringMatching(/^info run published ms=\d+$/),
    ]);
    expect(texts.join('\n')).not.toContain(SECRET);
  });

  it('contain the reason of a failure, and are removed with their run', async () => {
    crm.answer = { status: 503, body: `no: ${SECRET}`, headers: {} };
    const id = await run();
    const texts = await textsOf(id);
    expect(texts.at(-1)).toMatch(/^warn run failed reason="http:\/\/\S+ answered 503"$/);
    expect(texts.some((text) => /^warn asked http:\/\/\S+ in vain status=503 /.test(text))).toBe(true);
    expect(texts.join('\n')).not.toContain(SECRET);
    await db.query('DELETE FROM run WHERE id = $1', [id]);
    expect(await db.query('SELECT 1 FROM run_log')).toEqual([]);
  });

  it('are dropped when a run found nothing new and had no problem', async () => {
    crm.answer = { body: aKyeroFeed([aProperty('A')]), headers: {} };
    await run();
    const quiet = await run();
    expect(await db.query('SELECT state FROM run WHERE id = $1', [quiet])).toEqual([{ state: 'unchanged' }]);
    expect(await db.database.runHistory.logLines(quiet)).toBeNull();
  });

  it('come only from the worker that has the run, and are limited in number', async () => {
    const id = await run();
    const [before] = [await textsOf(id)];
    const lost = { id, fence: 0 };
    await db.database.runNotes.keepLines(lost, [{ at: '2026-11-24T12:00:00Z', level: 'info', text: 'of another' }], 0);
    expect(await textsOf(id)).toEqual(before);
    expect(before.length).toBeLessThanOrEqual(STORED_LOG_LINES.most);
  });
});

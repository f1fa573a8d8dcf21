import { SecretBox } from '@passerelle/domain';
import type { ApiServer } from '../simulated/apis/api-server';
import { ALTO_CREDENTIALS, ALTO_FEED, type AltoState, simulateAlto } from '../simulated/apis/alto';
import { type RestartedIngestor, restartIngestor } from '../support/restarted-processes';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { eventually } from '../support/waiting';

const SECRETS_KEY = 'the-key-of-two-installations-of-one-account';
const LISTINGS = 40;

// Real: two ingestors as built, each with its own database, HTTP. Fake: Alto, which gives one token at a time.
describe('two installations with one account of a source that gives one token at a time', () => {
  let installations: { db: TestDatabase; ingestor: RestartedIngestor }[] = [];
  let api: ApiServer;
  const state: AltoState = {
    properties: () => Array.from({ length: LISTINGS }, (_, id) => ({ id: String(id + 1) })),
    ...{ branches: ['21'], usesOfToken: Infinity, endsTokens: false, isTokenTaken: false, movesPhotos: false },
    beforeListing: () => undefined,
  };

  beforeAll(async () => {
    api = await simulateAlto(state);
    installations = await Promise.all([1, 2].map(install));
  });
  afterAll(async () => {
    await Promise.all(installations.map(({ ingestor }) => ingestor.end()));
    await api.close();
    await Promise.all(installations.map(({ db }) => db.drop()));
  });

  async function install(): Promise<{ db: TestDatabase; ingestor: RestartedIngestor }> {
    const db = await createTestDatabase();
    await db.database.gateways.add(
      {
        ...{ crm: 'alto', client: 'agency', sourceUrl: `http://${api.host}`, everySeconds: 3600, contractEnd: null },
        settings: { feed: ALTO_FEED, 'requests-per-second': '100' },
        credentials: new SecretBox(SECRETS_KEY).seal(JSON.stringify(ALTO_CREDENTIALS)),
      },
      { hash: Buffer.alloc(32), prefix: 'psr_x' },
    );
    // Disables the schedule: the test starts the runs.
    await db.query(`UPDATE gateway_schedule SET next_run_at = 'infinity'`);
    const env = { DATABASE_URL: db.url, SECRETS_KEY, ALLOW_PRIVATE_SOURCES: api.host, LOG_LEVEL: 'warn' };
    const ingestor = restartIngestor(env);
    await eventually(() => Promise.resolve(ingestor.ready ?? undefined));
    return { db, ingestor };
  }

  /** Requests a run, and waits for its end. */
  async function run({ db }: { db: TestDatabase }): Promise<{ state: string; reason: string | null; added: number }> {
    const [{ id: last }] = (await db.query<{ id: number }>('SELECT coalesce(max(id), 0)::int AS id FROM run')) as [
      { id: number },
    ];
    // Request the run as an operator, because a gateway's next scheduled time is set a moment after its run has ended.
    const gateways = await db.query<{ id: number }>('SELECT id FROM gateway');
    for (const { id } of gateways) await db.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    return await eventually(async () => {
      const [over] = await db.query<{ state: string; reason: string | null; added: number }>(
        'SELECT state, reason, added FROM run WHERE ended_at IS NOT NULL AND id > $1 ORDER BY id LIMIT 1',
        [last],
      );
      return over;
    });
  }

  it('both publish the list, but a run without the token fails after one request and states this reason', async () => {
    const [first, second] = installations as [(typeof installations)[0], (typeof installations)[0]];
    expect(await run(first)).toMatchObject({ state: 'published', added: LISTINGS });

    const asked = api.requests.length;
    const refused = await run(second);
    expect(refused.state).toBe('failed');
    expect(refused.reason).toContain('another program holds the token of the data feed');
    expect(api.requests.length - asked).toBe(1);

    // An hour later, Alto gives a token to the second client, and the first client's token becomes invalid.
    state.endsTokens = true;
    expect(await run(second)).toMatchObject({ state: 'published', added: LISTINGS });
    const between = api.requests.length;
    expect((await run(first)).state).toMatch(/^(?:published|unchanged)$/);
    // Expected requests: one with the invalid token, one for a new token, and the list. No listing has changed.
    expect(api.requests.length - between).toBeLessThan(8);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { SecretBox } from '@passerelle/domain';
import type { ApiServer } from '../../simulated/apis/api-server';
import { REAPIT_CREDENTIALS, simulateReapit } from '../../simulated/apis/reapit';
import { aFreePort } from '../../support/free-port';
import { redirectHosts } from '../../support/redirected-hosts';
import { type Program, startProgram, untilReady } from '../../support/program';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { eventually } from '../../support/waiting';

const SECRETS_KEY = 'the-key-of-two-ingestors-of-one-application';
const VENDOR = 'platform.reapit.cloud';
const GATEWAYS = 8;
const LISTINGS = 30;
/** One ingestor takes half of the gateways from the queue at a time, so that both ingestors take part. */
const AT_ONCE = GATEWAYS / 2;
const DAY_MS = 86_400_000;
/** Longer than all tests of this file together. */
const ENOUGH_MS = 180_000;

interface EndedRun {
  state: string;
  reason: string | null;
}

// Real: two ingestors as built, the queue, PostgreSQL, HTTP, the vendor's limits as in the connector. Fake: the vendor.
// A simulator enforces its limits strictly; connections to the vendor's host are redirected to the simulator.
describe('application of Reapit that two ingestors read', () => {
  let db: TestDatabase;
  let api: ApiServer;
  let ingestors: Program[] = [];

  beforeAll(async () => {
    // The product counts requests per UTC day, and the simulator counts from its start. Wait if midnight is near, so
    // that both count the same requests.
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < ENOUGH_MS) await sleep(leftMs + 1_000);
    api = await simulateReapit({
      properties: () => Array.from({ length: LISTINGS }, (_, id) => ({ id: String(id + 1), images: 1 })),
      ...{ offices: [], negotiators: [], tokenIsGoodFor: Infinity, movesPhotos: false, beforePage: () => undefined },
    });
    db = await createTestDatabase();
    for (let n = 0; n < GATEWAYS; n += 1) {
      await db.database.gateways.add(
        {
          ...{ crm: 'reapit', client: `agency-${n}`, sourceUrl: `http://${VENDOR}`, everySeconds: 3600 },
          settings: { customer: 'SBOX', 'token-url': `http://${VENDOR}/token`, limit: '15' },
          credentials: new SecretBox(SECRETS_KEY).seal(JSON.stringify(REAPIT_CREDENTIALS)),
          contractEnd: null,
        },
        { hash: Buffer.alloc(32), prefix: 'psr_x' },
      );
    }
    // Disable the schedule: the test starts the runs.
    await db.query(`UPDATE gateway_schedule SET next_run_at = 'infinity'`);
    ingestors = await Promise.all([1, 2].map(startIngestor));
  });
  afterAll(async () => {
    await Promise.all(ingestors.map((ingestor) => ingestor.stop()));
    await api.close();
    await db.drop();
  });

  async function startIngestor(): Promise<Program> {
    const opsPort = await aFreePort();
    const program = startProgram('apps/ingestor/src/main.js', {
      ...{
        DATABASE_URL: db.url,
        SECRETS_KEY,
        LOG_LEVEL: 'warn',
        OPS_PORT: String(opsPort),
        FETCH_CONCURRENCY: String(AT_ONCE),
      },
      ...{ ALLOW_PRIVATE_SOURCES: `${VENDOR}:80`, ...redirectHosts({ [`${VENDOR}:80`]: api.host }) },
    });
    await untilReady(program, `http://127.0.0.1:${opsPort}/health/ready`);
    return program;
  }

  /** Requests a run of each gateway and waits until all have ended. */
  async function runAll(): Promise<EndedRun[]> {
    const [{ last }] = (await db.query<{ last: number }>('SELECT coalesce(max(id), 0)::int AS last FROM run')) as [
      { last: number },
    ];
    // Request the runs as an operator, because a gateway's next scheduled time is set a moment after its run has ended.
    const gateways = await db.query<{ id: number }>('SELECT id FROM gateway');
    for (const { id } of gateways) await db.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    return await eventually(async () => {
      const over = await db.query<EndedRun>('SELECT state, reason FROM run WHERE id > $1 AND ended_at IS NOT NULL', [
        last,
      ]);
      return over.length === GATEWAYS ? over : undefined;
    });
  }

  const runs = (state: string): EndedRun[] => Array<EndedRun>(GATEWAYS).fill({ state, reason: null });

  it('never has more than five pending requests, even if answers take long', async () => {
    // Answers are so slow that the second ingestor starts before the first ingestor has read everything.
    api.limits = { requestsAtOnce: 5, answerMs: 1_000 };
    expect(await runAll()).toEqual(runs('published'));
    expect(api.counts).toMatchObject({ mostAtOnce: 5, refused: 0 });
    const holders = await db.query('SELECT DISTINCT holder FROM gateway_lease');
    expect(holders).toHaveLength(2);
  });

  it('never gets more than 20 requests in a second when answers come immediately', async () => {
    api.limits = { requestsPerSecond: 20, requestsAtOnce: 5 };
    const refused: number[] = [];
    // If the machine hangs for longer than the reserve of a tenth of a second, delayed requests are sent together.
    for (let tries = 0; tries < 3 && !refused.includes(0); tries += 1) {
      const before = api.counts.refused;
      expect(await runAll()).toEqual(runs('unchanged'));
      refused.push(api.counts.refused - before);
    }
    expect(refused).toContain(0);
  });

  it('gets no request beyond the daily limit', async () => {
    const { today, refused } = api.counts;
    const requestsPerDay = today + 10;
    await db.query(`UPDATE gateway SET settings = settings || jsonb_build_object('requests-per-day', $1::text)`, [
      String(requestsPerDay),
    ]);
    api.limits = { requestsPerDay };
    const ended = await runAll();
    expect(new Set(ended.map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
      new Set([`failed: the ${requestsPerDay} requests a day that ${VENDOR} may get are used up`]),
    );
    expect(api.counts).toMatchObject({ today: requestsPerDay, refused });
  });
});

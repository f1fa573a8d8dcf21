import { connectionName } from '@passerelle/settings';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { type OpsTerminal, opsTerminal } from './ops-terminal';

const HELD = { state: 'held', reasonCode: 'vanished', reason: '2 of 3 listings would vanish' } as const;
const FAILED = { state: 'failed', reasonCode: 'unreachable', reason: 'crm.example does not answer' } as const;

// Real: PostgreSQL and the command line, in this process. Fake: the connectors and the worker.
describe('ops status', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;
  let worker: FakeWorker;
  const clients: pg.Client[] = [];

  beforeEach(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.urlOf('ingest'));
    worker = new FakeWorker(db);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await db.drop();
  });

  /** Opens the connections by which the command recognizes programs. */
  async function connectPrograms(): Promise<void> {
    for (const [program, role] of [
      ['api', 'serve'],
      ['ingestor', 'ingest'],
    ] as const) {
      const client = new pg.Client({ connectionString: db.urlOf(role), application_name: connectionName(program) });
      client.on('error', () => undefined);
      clients.push(client);
      await client.connect();
    }
  }

  async function add(client: string): Promise<number> {
    await terminal.json(
      'gateway',
      'add',
      '--crm',
      'kyero',
      '--client',
      client,
      '--source',
      'https://crm.example/a.xml',
    );
    return (await db.database.gateways.find('kyero', client))!.id;
  }

  it('reports that everything runs when nothing needs a decision', async () => {
    await connectPrograms();
    expect((await terminal.ops('status')).out).toBe(
      'Everything runs.\n0 gateways\n0 runs waiting, 0 under way\n\nNothing needs a decision.\n',
    );
  });

  it('lists each needed decision with the next command, and counts healthy gateways', async () => {
    const [held, failing, fresh] = [await add('held'), await add('failing'), await add('fresh')];
    await worker.run(held, { listings: ['A', 'B', 'C'] });
    const run = await worker.run(held, { listings: ['A'] }, HELD);
    await worker.run(failing, { listings: [] }, FAILED);
    await db.query(
      `UPDATE gateway_schedule SET failures = 2, failing_since = now() - interval '3 hours' WHERE gateway_id = $1`,
      [failing],
    );
    await worker.run(fresh, { listings: ['A'] });
    await connectPrograms();
    const { exitCode, value } = await terminal.json('status');
    expect(exitCode).toBe(0);
    const { gateways, ...rest } = value as { gateways: { state: string; count: number }[] };
    expect(gateways.filter(({ count }) => count > 0).map(({ state, count }) => [state, count])).toEqual([
      ['failing', 1],
      ['held', 1],
      ['never', 1],
      // The held gateway still serves a fresh list.
      ['fresh', 2],
    ]);
    const oldest: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(rest).toEqual({
      ...{ database: 'writable', all: 3 },
      broken: [],
      runs: { waiting: 0, running: 0, waited_seconds: 0, stuck: false },
      wants: [
        {
          state: 'failing',
          crm: 'kyero',
          ...{ gateways: 1, all: 3 },
          oldest,
          reason: FAILED.reason,
          alike: 1,
          next: expect.stringMatching(/^gateway show --crm kyero --client \S+$/),
        },
        {
          state: 'held',
          crm: 'kyero',
          gateways: 1,
          all: 3,
          oldest,
          reason: HELD.reason,
          alike: 1,
          next: `run show ${run}`,
        },
      ],
    });
    const { out } = await terminal.ops('status');
    expect(out).toMatch(
      /^1 gateway fails, 1 waits for a decision, 1 was never published\. The programs work\.\n3 gateways: 1 failing \(the oldest 3 h ago\), 1 held \(the oldest [^)]+\), 1 never, 2 fresh\n0 runs waiting, 0 under way\n/,
    );
    expect(out).toMatch(new RegExp(`held +kyero +1 of 3 +\\S+ \\S+ +run show ${run} +2 of 3 listings would vanish`));
  });

  it('lists broken parts first, such as a read-only database and runs that no ingestor takes', async () => {
    await connectPrograms();
    const gatewayId = await add('waiting');
    await db.database.runRequests.request({ gatewayId, trigger: 'schedule' });
    expect((await terminal.json('status')).value).toMatchObject({ runs: { waiting: 1, stuck: false } });
    await db.query(`UPDATE run SET requested_at = now() - interval '10 minutes'`);
    expect((await terminal.ops('status')).out).toMatch(
      /^runs: no ingestor takes runs: one has waited for 10 min\. start an ingestor/,
    );
    await db.query(`ALTER DATABASE ${new URL(db.url).pathname.slice(1)} SET default_transaction_read_only = on`);
    const { out } = await opsTerminal(db.urlOf('ingest')).ops('status');
    expect(out).toMatch(/^database: PostgreSQL \S+ is read-only: .*\nruns: no ingestor takes runs/);
  });
});

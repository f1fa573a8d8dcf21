import { FakeWorker } from '../ops/fake-worker';
import { type ConsoleUnderTest, startConsole, type Visitor } from './console-under-test';

/** A run that needs a decision. */
export const HELD = { state: 'held', reasonCode: 'vanished', reason: 'half of it went' } as const;

/** A console with three gateways: one has a held run, one fails, one works. */
export interface GatewaysOnPages {
  console: ConsoleUnderTest;
  viewer: Visitor;
  operator: Visitor;
  heldRun: number;
  /** @returns the id of another Kyero gateway */
  add(client: string): Promise<number>;
}

/** Real: the console over HTTP, PostgreSQL with the operating role. Fake: the ingestor. */
export async function startWithGateways(): Promise<GatewaysOnPages> {
  const console = await startConsole();
  const add = (client: string): Promise<number> =>
    console.db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example.org/x.xml', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client.padEnd(32)), prefix: `psr_${client}` },
    );
  const { db } = console;
  const worker = new FakeWorker(db);
  await db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
  const held = await add('held');
  await worker.run(held, { listings: ['A', 'B', 'C'] });
  const heldRun = await worker.run(held, { listings: ['A'] }, HELD);
  const failing = await add('failing');
  await worker.run(failing, { listings: [] }, { state: 'failed', reasonCode: 'timeout', reason: 'it did not answer' });
  await db.query(`UPDATE gateway_schedule SET failures = 1, failing_since = now() WHERE gateway_id = $1`, [failing]);
  await worker.run(await add('fresh'), { listings: ['A', 'B'] });
  await db.query(
    `INSERT INTO outbox (gateway_id, kind, type, aff_id, sealed, error, tries, next_try_at)
     VALUES ($1, 'lead', 'lead', 'A', '\\x00', 'the mail server does not answer (ECONNREFUSED)', 3, now() + interval '26 hours')`,
    [failing],
  );
  await db.query(`INSERT INTO source_feedback (gateway_id, listing, status) VALUES ($1, 'A', 'shown')`, [failing]);
  await db.query(
    `INSERT INTO outbox (gateway_id, kind, type, tries, error) VALUES ($1, 'feedback', 'feedback', 2, 'the API of the CRM answered 503')`,
    [failing],
  );
  const viewer = await console.signedIn('viewer');
  const operator = await console.signedIn('operator');
  return { console, viewer, operator, heldRun, add };
}

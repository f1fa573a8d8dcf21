import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { removeTestKeys } from '../../support/test-redis';
import { type AnnouncingIngestor, openQueue, type QueueLocation, startAnnouncing } from './announcing-ingestors';
import { until } from '../../support/waiting';

/** More than two batches. */
const GATEWAYS = 1_200;
/** Longer than two ticks. */
const TICKS_MS = 4_500;
/** Tests how several ingestors put runs on the queue, with any store. */
export function describeAnnouncer(redisUrlOf: () => Promise<string | null>): void {
  let db: TestDatabase;
  let place: QueueLocation;
  let queue: Queue;
  let closeQueue: () => Promise<void>;
  let ingestors: AnnouncingIngestor[];

  beforeAll(async () => {
    db = await createTestDatabase();
    const redisPrefix = `test-${randomBytes(4).toString('hex')}`;
    place = { redisUrl: await redisUrlOf(), redisPrefix, databaseUrl: db.url };
    ({ queue, close: closeQueue } = openQueue(place));
    await db.query(
      `WITH new AS (
         INSERT INTO gateway (crm, client, source_url)
         SELECT 'kyero', 'client-' || n, 'file:none.xml' FROM generate_series(1, $1::int) n RETURNING id
       )
       INSERT INTO gateway_schedule (gateway_id, next_run_at) SELECT id, now() + interval '1 day' FROM new`,
      [GATEWAYS],
    );
    ingestors = await Promise.all(['one', 'two', 'three'].map((name) => startAnnouncing(name, place)));
  });
  afterAll(async () => {
    await Promise.all(ingestors.map((ingestor) => ingestor.stop()));
    await closeQueue();
    await db.drop();
    if (place.redisUrl !== null) await removeTestKeys(place.redisUrl, place.redisPrefix);
  });

  const waiting = (): Promise<number> => queue.getPrioritizedCount();
  const told = (): number[] => ingestors.flatMap((ingestor) => ingestor.announced);
  const announcers = (): AnnouncingIngestor[] => ingestors.filter((ingestor) => ingestor.announced.length > 0);
  const announcer = async (): Promise<AnnouncingIngestor> => {
    const [row] = await db.query<{ holder: string }>('SELECT holder FROM announcer');
    return ingestors.find(({ name }) => name === row?.holder)!;
  };
  const ask = (gatewayId: number): Promise<number> => db.database.runRequests.request({ gatewayId, trigger: 'ops' });
  const gateways = async (count: number): Promise<number[]> =>
    (await db.query<{ id: number }>('SELECT id FROM gateway ORDER BY id LIMIT $1', [count])).map(({ id }) => id);
  const isOnQueue = async (run: number): Promise<boolean> => (await queue.getJob(`run-${run}`)) !== undefined;

  it('puts each requested run on the queue before the next poll', async () => {
    // With polling, each run would take two seconds.
    for (const gatewayId of await gateways(40)) {
      const run = await ask(gatewayId);
      await until(() => isOnQueue(run));
    }
    expect(announcers()).toHaveLength(1);
  });

  it('is only one of three ingestors, and puts each due gateway on the queue once', async () => {
    await db.query('UPDATE gateway_schedule SET next_run_at = now()');
    await until(async () => (await waiting()) === GATEWAYS);
    await sleep(TICKS_MS);
    expect(announcers()).toHaveLength(1);
    expect(told()).toHaveLength(GATEWAYS);
    expect(new Set(told()).size).toBe(GATEWAYS);
  });

  it('is replaced when it loses its database connection, and no run is announced twice', async () => {
    const lost = await announcer();
    await lost.link.cut();
    await db.query('UPDATE announcer SET expires_at = clock_timestamp() WHERE holder = $1', [lost.name]);
    const [cancelled] = await db.query<{ id: number; gateway_id: number }>('SELECT id, gateway_id FROM run LIMIT 1');
    await db.database.runRequests.requestCancel(cancelled!.id);
    const run = await ask(cancelled!.gateway_id);
    await until(() => isOnQueue(run));
    expect((await announcer()).name).not.toBe(lost.name);
    await lost.link.mend();
    await sleep(TICKS_MS);
    expect(told()).toHaveLength(GATEWAYS + 1);
    expect(announcers()).toHaveLength(2);
  });

  it('is replaced immediately when it stops', async () => {
    const stopped = await announcer();
    ingestors = ingestors.filter((ingestor) => ingestor !== stopped);
    await stopped.stop();
    const [row] = await db.query<{ isFree: boolean }>(
      'SELECT holder <> $1 OR expires_at < clock_timestamp() AS "isFree" FROM announcer',
      [stopped.name],
    );
    expect(row?.isFree).toBe(true);
    ingestors.push(await startAnnouncing('four', place));
  });

  it('continues after all its database connections have ended', async () => {
    await db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name IN ('one', 'two', 'three', 'four')`,
    );
    const [cancelled] = await db.query<{ id: number; gateway_id: number }>(
      `SELECT id, gateway_id FROM run WHERE state = 'queued' LIMIT 1`,
    );
    await db.database.runRequests.requestCancel(cancelled!.id);
    const run = await ask(cancelled!.gateway_id);
    await until(async () => {
      // The announcement may be lost with the connection. The test ends it here: its normal end takes a quarter of a
      // minute.
      await db.query(`UPDATE run SET announced_until = '-infinity' WHERE id = $1`, [run]);
      return isOnQueue(run);
    });
    await db.query(`UPDATE run SET announced_until = now() + interval '1 hour' WHERE state = 'queued'`);
  });

  it('fills an emptied queue again when its announcements have expired', async () => {
    await queue.obliterate({ force: true });
    await sleep(TICKS_MS);
    expect(await waiting()).toBe(0);
    await db.query(`UPDATE run SET announced_until = now() WHERE state = 'queued'`);
    await until(async () => (await waiting()) === GATEWAYS);
  });
}

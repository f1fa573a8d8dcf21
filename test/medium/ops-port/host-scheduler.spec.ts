import { INGEST_QUEUE } from '@passerelle/domain';
import { connectQueue } from '@passerelle/queue';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { IngestQueue } from '../../../apps/ingestor/src/queue/ingest-queue';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: the queue, in PostgreSQL.
describe('position in the queue', () => {
  let db: TestDatabase;
  let inner: Queue;
  let queue: IngestQueue;

  beforeAll(async () => {
    db = await createTestDatabase();
    const { connection, prefix } = connectQueue({ redisUrl: null, databaseUrl: db.url });
    inner = new Queue(INGEST_QUEUE, { connection, prefix });
    queue = new IngestQueue(
      inner,
      pino({ level: 'silent' }),
      { assertTakesWrites: () => Promise.resolve() },
      { list: () => Promise.resolve([]) },
    );
  });
  afterAll(async () => {
    await inner.close();
    await db.drop();
  });

  const order = async (): Promise<number[]> =>
    (await inner.getPrioritized()).map((job) => (job.data as { gatewayId: number }).gatewayId);

  it('depends on the turn, and does not change when the run is announced again', async () => {
    expect(await queue.isEmpty()).toBe(true);
    const turns = { 11: 1, 12: 2, 13: 9, 14: 5 };
    await queue.announce(
      Object.entries(turns).map(([id, turn]) => ({
        ...{ runId: 100 + Number(id), gatewayId: Number(id), trigger: 'schedule', turn },
      })),
    );
    await queue.announce([{ runId: 113, gatewayId: 13, trigger: 'schedule', turn: 1 }]);
    expect(await order()).toEqual([11, 12, 14, 13]);
    expect(await queue.isEmpty()).toBe(false);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { type IngestorUnderTest, startIngestor } from './ingestor-under-test';

// Real: the ingestor, PostgreSQL. Nothing is fake; no feed is read.
describe('ingestor that starts', () => {
  let ingestor: IngestorUnderTest;

  beforeAll(async () => {
    ingestor = await startIngestor({}, async ({ database, query }) => {
      const gatewayId = await database.gateways.add(
        {
          ...{ crm: 'kyero', client: 'walked', sourceUrl: 'file:feed.xml', settings: {} },
          ...{ credentials: null, everySeconds: 3600, contractEnd: null },
        },
        { hash: Buffer.alloc(32), prefix: 'psr_x' },
      );
      await query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 hour'`);
      const walks = [
        ['over', '13 hours', '13 hours'],
        ['begun anew', '13 hours', '5 minutes'],
        ['under way', '5 minutes', '5 minutes'],
      ];
      for (const [reader = '', first, lastFirst] of walks) {
        await query(
          `INSERT INTO walk (gateway_id, reader, snapshot_id, first_at, last_first_at)
           VALUES ($1, $2, 1, now() - $3::interval, now() - $4::interval)`,
          [gatewayId, Buffer.from(reader), first, lastFirst],
        );
      }
    });
  });
  afterAll(() => ingestor.close());

  it('removes pagination sessions that no reader can continue', async () => {
    const left = async (): Promise<string[]> => {
      const rows = await ingestor.testDatabase.query<{ reader: Buffer }>('SELECT reader FROM walk ORDER BY reader');
      return rows.map(({ reader }) => reader.toString());
    };
    while ((await left()).includes('over')) await sleep(20);
    expect(await left()).toEqual(['begun anew', 'under way']);
  });
});

import { connectQueue } from '@passerelle/queue';
import { Queue } from 'bullmq';
import { INGEST_QUEUE } from '@passerelle/domain';
import { eventually } from '../../support/waiting';
import { opsTerminal } from '../ops/ops-terminal';
import { BEARER, type IngestorUnderTest, startIngestor } from './ingestor-under-test';

const gauge = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));

// Real: PostgreSQL, the queue in it, a whole ingestor, the command line.
describe('ingestor', () => {
  let ingestor: IngestorUnderTest;
  afterEach(() => ingestor.close());

  const ready = () => ingestor.get('/health/ready');
  const metrics = async () => (await ingestor.get('/metrics', BEARER)).text;
  const ops = () => opsTerminal(ingestor.testDatabase.urlOf('ingest'));

  it('reports a paused queue in readiness, metrics, status, doctor and pauses, and resumes the queue at its next start', async () => {
    ingestor = await startIngestor();
    const { connection, prefix } = connectQueue({ redisUrl: null, databaseUrl: ingestor.testDatabase.url });
    const queue = new Queue(INGEST_QUEUE, { connection, prefix });
    expect(await ready()).toMatchObject({ status: 200 });
    await queue.pause();
    await eventually(async () => ((await ready()).status === 503 ? true : undefined));
    expect((await ready()).body).toMatchObject({ status: 'unavailable', queue: 'paused' });
    expect(gauge(await metrics(), 'passerelle_queue_paused')).toEqual(['passerelle_queue_paused 1']);
    await eventually(async () => ((await ingestor.database.announcements.facts(120)).isPaused ? true : undefined));
    expect((await ops().ops('status')).out).toMatch(
      /^queue: it is paused: workers take no runs\. restart an ingestor/m,
    );
    expect((await ops().ops('doctor')).out).toMatch(/^BROKEN +queue +it is paused/m);
    expect((await ops().json('pauses')).value).toMatchObject([
      { crm: null, client: null, host: null, gateways: 0, reason: expect.stringContaining('has paused the queue') },
    ]);

    const other = await startIngestor({ databaseUrl: ingestor.testDatabase.urlOf('ingest') });
    await eventually(async () => ((await ready()).status === 200 ? true : undefined));
    expect(await queue.isPaused()).toBe(false);
    await other.close();
    await queue.close();
  });

  it('continues when the clock of the database was two hours ahead and is set back', async () => {
    ingestor = await startIngestor({}, async (db) => {
      const gatewayId = await db.database.gateways.add(
        {
          ...{ crm: 'kyero', client: 'agency', sourceUrl: 'http://127.0.0.1:1/', settings: {} },
          ...{ credentials: null, everySeconds: 3600, contractEnd: null },
        },
        { hash: Buffer.alloc(32), prefix: 'psr_x' },
      );
      await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
      for (const sql of [
        `UPDATE gateway SET confirmed_at = now() + interval '2 hours'`,
        `UPDATE gateway_schedule SET next_run_at = now() + interval '4 hours'`,
        `UPDATE run SET announced_until = now() + interval '2 hours'`,
        `INSERT INTO gateway_lease (gateway_id, fence, holder, expires_at) SELECT id, 1, 'gone', now() + interval '2 hours' FROM gateway`,
        `INSERT INTO announcer (holder, expires_at) VALUES ('gone', now() + interval '2 hours')
           ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
      ]) {
        await db.query(sql);
      }
    });
    expect(await ready()).toMatchObject({ status: 503, body: { database: 'ok', queue: 'ok', clock: 'put back' } });
    expect(gauge(await metrics(), 'passerelle_gateways_confirmed_ahead')).toEqual([
      'passerelle_gateways_confirmed_ahead{connector="kyero"} 1',
    ]);
    expect((await ops().ops('status')).out).toMatch(/^clocks: PostgreSQL's clock was put back: 1 of 1 gateways/m);
    const { query } = ingestor.testDatabase;
    await eventually(async () => {
      const [run] = await query<{ state: string }>(`SELECT state FROM run WHERE trigger = 'ops'`);
      return run?.state === 'failed' ? run : undefined;
    });
    const [row] = await query<{ is_soon: boolean }>(
      `SELECT next_run_at < now() + interval '2 hours' AS is_soon FROM gateway_schedule`,
    );
    expect(row).toEqual({ is_soon: true });
    await query('UPDATE gateway SET confirmed_at = now()');
    expect(await ready()).toMatchObject({ status: 200, body: { clock: 'ok' } });
  });
});

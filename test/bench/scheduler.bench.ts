import { setTimeout as sleep } from 'node:timers/promises';
import { INGEST_QUEUE } from '@passerelle/domain';
import { connectQueue } from '@passerelle/queue';
import { Queue } from 'bullmq';
import pg from 'pg';
import type { Bench, Finding } from './bench';
import { addGateways, letBeDue } from './bulk-gateways';
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time';
import type { Running, Surroundings } from './surroundings';
import { sized } from './size';

const GATEWAYS = sized(20_000, 200);
const CRMS = ['kyero', 'apimo', 'blm', 'idx'];
const SETTLE_MS = sized(5_000, 500);
const IDLE_MS = sized(30_000, 1_000);
const POLL_MS = 250;
const PATIENCE_MS = 300_000;

interface Measured {
  seconds: number;
  ingestorsMs: number;
  postgresMs: number;
  /**
   * CPU of all processes per second: while everything waits and nothing changes (`waitingMs`), and while nothing waits
   * (`idleMs`).
   */
  waitingMs: number;
  idleMs: number;
}

/**
 * The cost of adding 20,000 gateways that are due at the same time to the queue, and the cost while they wait there.
 * The queue is paused, so no run starts.
 */
export const scheduler: Bench = {
  name: 'scheduler',
  async run(surroundings) {
    const client = new pg.Client({ connectionString: surroundings.databaseUrl });
    await client.connect();
    await addGateways(client, { count: GATEWAYS, crms: CRMS, sourceOf: `'file:none.xml'` });
    const { connection, prefix } = connectQueue({ redisUrl: null, databaseUrl: surroundings.databaseUrl });
    const queue = new Queue(INGEST_QUEUE, { connection, prefix });
    await queue.pause();
    const one = await measure(surroundings, client, queue, 1);
    const four = await measure(surroundings, client, queue, 4);
    await queue.close();
    await client.end();
    return findingsOf(one, four);
  },
};

async function measure(surroundings: Surroundings, client: pg.Client, queue: Queue, count: number): Promise<Measured> {
  const ingestors: Running[] = [];
  for (let n = 0; n < count; n += 1) ingestors.push(await surroundings.start('apps/ingestor/src/main.js'));
  const cpu = (): { ingestors: number; postgres: number } => ({
    ingestors: ingestors.reduce((sum, { pid }) => sum + cpuTimeOf(pid), 0),
    postgres: cpuTimeOfPostgres(),
  });
  const perSecond = async (): Promise<number> => {
    const before = cpu();
    await sleep(IDLE_MS);
    const after = cpu();
    return (after.ingestors + after.postgres - before.ingestors - before.postgres) / (IDLE_MS / 1000);
  };
  await sleep(SETTLE_MS);
  const idleMs = await perSecond();

  const before = cpu();
  const startedAt = performance.now();
  await letBeDue(client, GATEWAYS);
  for (;;) {
    await sleep(POLL_MS);
    const counts = await queue.getJobCounts('prioritized', 'waiting');
    if (Object.values(counts).reduce((sum, some) => sum + some, 0) >= GATEWAYS) break;
    if (performance.now() - startedAt > PATIENCE_MS)
      throw new Error(`not all are on the queue: ${JSON.stringify(counts)}`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const after = cpu();
  await sleep(SETTLE_MS);
  const waitingMs = await perSecond();

  for (const ingestor of ingestors) await ingestor.stop();
  await queue.drain();
  await client.query(`UPDATE run SET state = 'cancelled', ended_at = now() WHERE state = 'queued'`);
  await client.query('VACUUM ANALYZE run, gateway_schedule');
  return {
    ...{ seconds, waitingMs, idleMs },
    ingestorsMs: after.ingestors - before.ingestors,
    postgresMs: after.postgres - before.postgres,
  };
}

function findingsOf(one: Measured, four: Measured): Finding[] {
  const cpuOf = ({ ingestorsMs, postgresMs }: Measured): number => (ingestorsMs + postgresMs) / 1000;
  const detailOf = ({ ingestorsMs, postgresMs, seconds }: Measured): string =>
    `${(ingestorsMs / 1000).toFixed(1)} s of the ingestors, ${(postgresMs / 1000).toFixed(1)} s of PostgreSQL; in ${seconds.toFixed(1)} s`;
  return [
    {
      what: `CPU until ${GATEWAYS} gateways due at once are on the queue, one ingestor`,
      value: cpuOf(one),
      goal: { max: 10 },
      unit: 's',
      detail: detailOf(one),
    },
    {
      what: 'the same with four ingestors, against one',
      value: cpuOf(four) / cpuOf(one),
      goal: { max: 1.5 },
      unit: '×',
      detail: detailOf(four),
    },
    {
      what: `CPU in a second while ${GATEWAYS} wait and nothing changes, four ingestors, beyond that while none waits`,
      value: four.waitingMs - four.idleMs,
      goal: { max: 100 },
      unit: 'ms',
      detail:
        `${four.waitingMs.toFixed(1)} ms against ${four.idleMs.toFixed(1)} ms; ` +
        `one ingestor: ${one.waitingMs.toFixed(1)} ms against ${one.idleMs.toFixed(1)} ms`,
    },
  ];
}

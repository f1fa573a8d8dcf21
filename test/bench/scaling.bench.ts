import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench, Finding } from './bench';
import { addGateways, letBeDue } from './bulk-gateways';
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time';
import { medianOf } from './rounds';
import type { Running, Surroundings } from './surroundings';
import { sized } from './size';

const INGESTORS = [1, 2, 4];
/** A fixed number per ingestor, so that a round takes as long for one ingestor as for four. */
const GATEWAYS_EACH = sized(200, 8);
const RECORDS = 10;
const ANSWER_MS = 200;
const ROUNDS = sized(3, 1);
const POLL_MS = 50;

interface Measured {
  perSecond: number;
  /** CPU of a run, in ms. */
  ingestorsMs: number;
  postgresMs: number;
  /** Used cores, of all processes together; 1 is one full core. */
  cores: number;
}

/**
 * Compares the runs per second of 1, 2 and 4 ingestors with 1, 2 and 4 times those of one ingestor. The CRM takes 200
 * ms to answer.
 */
export const scaling: Bench = {
  name: 'scaling',
  async run(surroundings) {
    const crm = await startCrm();
    const client = new pg.Client({ connectionString: surroundings.databaseUrl });
    await client.connect();
    const most = Math.max(...INGESTORS) * GATEWAYS_EACH;
    await addGateways(client, { count: most, sourceOf: `'http://${crm.host}/' || n || '.xml'` });
    const measured = new Map<number, Measured[]>(INGESTORS.map((count) => [count, []]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ingestors: Running[] = [];
      for (const count of round === 0 ? INGESTORS.slice(-1) : INGESTORS) {
        while (ingestors.length < count) ingestors.push(await startIngestor(surroundings, crm.host));
        // The first round imports; the later rounds find nothing new.
        const one = await runAll(client, ingestors, round === 0 ? most : count * GATEWAYS_EACH);
        if (round > 0) measured.get(count)?.push(one);
      }
      await Promise.all(ingestors.map((ingestor) => ingestor.stop()));
    }
    await client.end();
    crm.stop();
    return findingsOf(measured);
  },
};

async function startIngestor(surroundings: Surroundings, host: string): Promise<Running> {
  return surroundings.start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: host });
}

async function startCrm(): Promise<{ host: string; stop(): void }> {
  const script = join(__dirname, 'slow-crm.js');
  const child = spawn(process.execPath, [script, String(RECORDS), String(ANSWER_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { host: chunk.toString().trim(), stop: () => child.kill() };
}

/** Runs the given number of gateways, and measures from the start of the first run to the end of the last one. */
async function runAll(client: pg.Client, ingestors: readonly Running[], gateways: number): Promise<Measured> {
  const cpu = (): [ingestors: number, postgres: number] => [
    ingestors.reduce((sum, { pid }) => sum + cpuTimeOf(pid), 0),
    cpuTimeOfPostgres(),
  ];
  const before = cpu();
  const newest = await letBeDue(client, gateways);
  let seconds = 0;
  for (;;) {
    await sleep(POLL_MS);
    const { rows } = await client.query<{ ended: number; bad: number; seconds: number }>(
      `SELECT count(*) FILTER (WHERE ended_at IS NOT NULL)::int AS ended,
              count(*) FILTER (WHERE state IN ('failed', 'held', 'cancelled'))::int AS bad,
              extract(epoch FROM max(ended_at) - min(started_at))::float8 AS seconds
       FROM run WHERE id > $1`,
      [newest],
    );
    if ((rows[0]?.bad ?? 0) > 0) throw new Error('a run has failed');
    seconds = rows[0]?.seconds ?? 0;
    if ((rows[0]?.ended ?? 0) >= gateways) break;
  }
  const after = cpu();
  const [ingestorsMs, postgresMs] = [(after[0] - before[0]) / gateways, (after[1] - before[1]) / gateways];
  return {
    ...{ perSecond: gateways / seconds, ingestorsMs, postgresMs },
    cores: ((ingestorsMs + postgresMs) * gateways) / (seconds * 1000),
  };
}

function findingsOf(measured: ReadonlyMap<number, readonly Measured[]>): Finding[] {
  const median = (count: number, of: keyof Measured): number =>
    medianOf((measured.get(count) ?? []).map((one) => one[of]));
  const alone = median(1, 'perSecond');
  return INGESTORS.map((count) => ({
    what: `runs a second of ${count} ingestor${count > 1 ? 's' : ''}, against ${count} times those of one`,
    value: median(count, 'perSecond') / (count * alone),
    goal: count === 1 ? null : { min: 0.9 },
    unit: '×',
    detail:
      `${median(count, 'perSecond').toFixed(1)} runs a second; CPU of a run ${median(count, 'ingestorsMs').toFixed(1)} ms ` +
      `and ${median(count, 'postgresMs').toFixed(1)} ms of PostgreSQL, ${median(count, 'cores').toFixed(2)} cores`,
  }));
}

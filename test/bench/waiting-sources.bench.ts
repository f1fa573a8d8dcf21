import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench, Finding } from './bench';
import { addGateways, letBeDue } from './bulk-gateways';
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time';
import { waitsOf } from './fairness.bench';
import { addGateway, type BenchGateway } from './gateways';
import { forgetPeak, residentMemory } from './resident-memory';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const RECORDS = 10;
const HEALTHY_GATEWAYS = sized(200, 10);
const HEALTHY_HOSTS = 25;
const HEALTHY_MS = 200;
const DRIPPING = sized(60, 4);

const SLOW_GATEWAYS = sized(2_000, 20);
const SLOW_HOSTS = sized(16, 2);
const SLOW_MS = sized(10_000, 500);
/** The first answers come after ten seconds. Then the bench measures for two minutes. */
const AHEAD_MS = sized(20_000, 1_000);
const MEASURED_MS = 120_000;

/** Measures the wait of healthy gateways beside sources that send one byte per second, all at their first contact. */
export const drippingSources: Bench = { name: 'dripping-sources', run: besideDripping };

/** The throughput and the cost of one ingestor when each of its CRMs takes ten seconds to answer. */
export const slowSources: Bench = { name: 'slow-sources', run: amongSlow };

async function besideDripping(surroundings: Surroundings): Promise<Finding[]> {
  const healthy = await startCrm(HEALTHY_MS, HEALTHY_HOSTS);
  const dripping = await startCrm(-1, DRIPPING);
  const gatewaysOf = async (hosts: readonly string[], count: number, what: string): Promise<BenchGateway[]> => {
    const gateways: BenchGateway[] = [];
    for (let n = 0; n < count; n += 1) {
      const gateway = await addGateway(surroundings, 'kyero', `http://${hosts[n % hosts.length]}/${what}-${n}.xml`);
      await surroundings.database.gateways.change(gateway.id, { settings: { 'requests-per-second': '10000' } });
      gateways.push(gateway);
    }
    return gateways;
  };
  const first = await gatewaysOf(healthy.hosts, HEALTHY_GATEWAYS, 'first');
  const alike = await gatewaysOf(healthy.hosts, HEALTHY_GATEWAYS, 'second');
  const bad = await gatewaysOf(dripping.hosts, DRIPPING, 'drip');
  const warm = await gatewaysOf(healthy.hosts, HEALTHY_HOSTS, 'warm');
  const ingestor = await surroundings.start('apps/ingestor/src/main.js', {
    ALLOW_PRIVATE_SOURCES: [...healthy.hosts, ...dripping.hosts].join(),
  });
  await waitsOf(surroundings, warm);
  const alone = await waitsOf(surroundings, first);
  for (const { id } of bad) await surroundings.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
  await untilRunning(surroundings, DRIPPING);
  const beside = await waitsOf(surroundings, alike);
  const stillDripping = await runningRuns(surroundings);
  dripping.stop();
  await ingestor.stop();
  healthy.stop();
  return [
    {
      what: `median wait of ${HEALTHY_GATEWAYS} healthy gateways beside ${DRIPPING} that drip, all at first contact`,
      value: beside / alone,
      goal: { max: 1.5 },
      unit: '×',
      detail: `${Math.round(alone)} ms without them, ${Math.round(beside)} ms with them, of which ${stillDripping} still dripped at the end`,
    },
  ];
}

async function amongSlow(surroundings: Surroundings): Promise<Finding[]> {
  const crm = await startCrm(SLOW_MS, SLOW_HOSTS);
  const client = new pg.Client({ connectionString: surroundings.databaseUrl });
  await client.connect();
  const hosts = `(ARRAY['${crm.hosts.join("','")}'])[1 + n % ${SLOW_HOSTS}]`;
  await client.query("UPDATE gateway_schedule SET next_run_at = now() + interval '30 days'");
  await client.query("UPDATE run SET state = 'cancelled', ended_at = now() WHERE state IN ('queued', 'running')");
  await addGateways(client, { count: SLOW_GATEWAYS, sourceOf: `'http://' || ${hosts} || '/' || n || '.xml'` });
  const ingestor = await surroundings.start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: crm.hosts.join() });
  const newest = await letBeDue(client, 0);
  await client.query(
    "UPDATE gateway_schedule SET next_run_at = now() - interval '1 second' WHERE next_run_at < now() + interval '2 days'",
  );
  await sleep(AHEAD_MS);
  const ended = async (): Promise<number> => {
    const { rows } = await client.query<{ ended: number }>(
      `SELECT count(*)::int AS ended FROM run WHERE id > $1 AND state = 'published'`,
      [newest],
    );
    return rows[0]?.ended ?? 0;
  };
  forgetPeak(ingestor.pid);
  const [endedBefore, cpuBefore, postgresBefore] = [await ended(), cpuTimeOf(ingestor.pid), cpuTimeOfPostgres()];
  const startedAt = performance.now();
  await sleep(MEASURED_MS);
  const minutes = (performance.now() - startedAt) / 60_000;
  const runs = (await ended()) - endedBefore;
  const cores = (cpuTimeOf(ingestor.pid) - cpuBefore) / (minutes * 60_000);
  const postgresCores = (cpuTimeOfPostgres() - postgresBefore) / (minutes * 60_000);
  const durations = await client.query<{ seconds: number }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - started_at))::float8 AS seconds
     FROM run WHERE id > $1 AND state = 'published'`,
    [newest],
  );
  const { peak } = residentMemory(ingestor.pid);
  crm.stop();
  await ingestor.stop();
  await client.end();
  const what = `among ${SLOW_GATEWAYS} gateways whose CRMs take ${SLOW_MS / 1000} s, one ingestor`;
  return [
    {
      what: `runs in a minute ${what}`,
      value: runs / minutes,
      goal: { min: 300 },
      unit: 'requests',
      detail:
        `${cores.toFixed(2)} cores of the ingestor and ${postgresCores.toFixed(2)} of PostgreSQL; ${runs} first reads in ` +
        `${minutes.toFixed(1)} min, each took ${(durations.rows[0]?.seconds ?? 0).toFixed(1)} s`,
    },
    {
      what: `cores of the ingestor meanwhile`,
      value: cores,
      goal: { max: 1 },
      unit: '×',
      detail: 'CPU time by wall time',
    },
    {
      what: `memory of the ingestor meanwhile`,
      value: peak,
      goal: { max: 400 },
      unit: 'MB',
      detail: 'resident, at its peak',
    },
  ];
}

async function runningRuns({ databaseUrl }: Surroundings): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int FROM run WHERE state = 'running'`);
  await client.end();
  return rows[0]?.count ?? 0;
}

async function untilRunning(surroundings: Surroundings, count: number): Promise<void> {
  while ((await runningRuns(surroundings)) < count) await sleep(100);
}

/**
 * Starts CRMs on the given number of ports that answer after the given delay. With a negative delay they send one byte
 * per second without end.
 */
async function startCrm(delayMs: number, ports: number): Promise<{ hosts: string[]; stop(): void }> {
  const args = [join(__dirname, 'slow-crm.js'), RECORDS, delayMs, ports].map(String);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { hosts: chunk.toString().trim().split('\n'), stop: () => child.kill() };
}

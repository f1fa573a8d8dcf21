import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench } from './bench';
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time';
import { kyeroFeed } from './feeds';
import { addGateway, drop } from './gateways';
import { medianOf } from './rounds';
import { sized } from './size';

const GATEWAYS = sized(1_000, 20);
const LISTINGS = 20;
const ROUNDS = sized(3, 1);
const POLL_MS = 200;

/**
 * The cost of a run that finds its feed unchanged, from the schedule to the end of the run, when many gateways are due
 * at the same time.
 */
export const confirmingRuns: Bench = {
  name: 'confirming-runs',
  async run(surroundings) {
    await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
    for (let n = 0; n < GATEWAYS; n += 1) await addGateway(surroundings, 'kyero', 'file:feed.xml');
    const client = new pg.Client({ connectionString: surroundings.databaseUrl });
    await client.connect();
    const ingestor = await surroundings.start('apps/ingestor/src/main.js');
    const runAll = async (state: string): Promise<number> => {
      const { rows } = await client.query<{ newest: number }>('SELECT coalesce(max(id), 0)::int AS newest FROM run');
      await client.query("UPDATE gateway_schedule SET next_run_at = now() - interval '1 second'");
      const startedAt = performance.now();
      let ended = 0;
      while (ended < GATEWAYS) {
        await sleep(POLL_MS);
        const runs = await client.query<{ ended: number }>(
          'SELECT count(*)::int AS ended FROM run WHERE id > $1 AND state = $2',
          [rows[0]?.newest, state],
        );
        ended = runs.rows[0]?.ended ?? 0;
      }
      return GATEWAYS / ((performance.now() - startedAt) / 1000);
    };
    await runAll('published');
    const measured: { ingestorMs: number; postgresMs: number; perSecond: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = [cpuTimeOf(ingestor.pid), cpuTimeOfPostgres()] as const;
      const perSecond = await runAll('unchanged');
      const ingestorMs = (cpuTimeOf(ingestor.pid) - before[0]) / GATEWAYS;
      measured.push({ ingestorMs, postgresMs: (cpuTimeOfPostgres() - before[1]) / GATEWAYS, perSecond });
    }
    await ingestor.stop();
    await client.end();
    const median = (of: keyof (typeof measured)[number]): number => medianOf(measured.map((one) => one[of]));
    return [
      {
        what: `CPU of a run that confirms, ${GATEWAYS} gateways due at once`,
        value: median('ingestorMs') + median('postgresMs'),
        goal: { max: 10 },
        unit: 'ms',
        detail:
          `${median('ingestorMs').toFixed(1)} ms of the ingestor, ${median('postgresMs').toFixed(1)} ms of PostgreSQL; ` +
          `${Math.round(median('perSecond'))} runs a second`,
      },
    ];
  },
};

import pg from 'pg';
import type { Bench, Finding } from './bench';
import { CONSOLE_SECRETS, signIn } from './bench-browser';
import { addConsoleRows } from './console-rows';
import { sized } from './size';

/** `CONSOLE_RUNS` sets the number of runs per gateway. A smaller number makes the bench shorter. */
const SIZE = {
  gateways: sized(20_000, 20),
  runs: sized(Number(process.env['CONSOLE_RUNS'] ?? 500), 5),
  listings: sized(500, 5),
};
/** Long enough that values with a cache lifetime of ten seconds are read several times. */
const ROUNDS = sized(60, 2);
const PAUSE_MS = sized(1_000, 10);

/** Requests every page of the console of a large and old installation, each page once per second in turn. */
export const consolePages: Bench = {
  name: 'console',
  async run({ database, databaseUrl, start }) {
    await addConsoleRows(databaseUrl, SIZE);
    const places = await placesOf(databaseUrl);
    await database.operators.add('bench', 'admin', '');
    const { port } = await start('apps/console/src/main.js', CONSOLE_SECRETS);
    const browser = await signIn(database, `http://127.0.0.1:${port}`, 'bench');
    const times = new Map(places.map((place) => [place, [] as number[]]));
    const first = new Map<string, number>();
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const place of places) {
        const ms = await browser.ask(place);
        if (round === 0) first.set(place, ms);
        else times.get(place)!.push(ms);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const runs = SIZE.gateways * SIZE.runs;
    return places.map((place): Finding => {
      const sorted = times.get(place)!.sort((one, other) => one - other);
      const most = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
      return {
        what: `${place.replace(/\d{4,}/, 'ID')}, p95 of ${ROUNDS}`,
        value: most(0.95),
        goal: { max: 100 },
        unit: 'ms',
        detail: `median ${Math.round(most(0.5))}, longest ${Math.round(most(1))}, the first after the start ${Math.round(first.get(place)!)} ms; ${SIZE.gateways} gateways, ${runs} runs`,
      };
    });
  },
};

/** The path of each page, also with the filters that make the page read other data. */
async function placesOf(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ held: string; crm: string; client: string; plain: string }>(
    `SELECT r.id AS held, g.crm, g.client,
            (SELECT max(id) FROM run WHERE state = 'published') AS plain
     FROM run r JOIN gateway g ON g.id = r.gateway_id WHERE r.state = 'held' AND r.snapshot_id IS NOT NULL LIMIT 1`,
  );
  await client.end();
  const { held, crm, client: name, plain } = rows[0]!;
  const gateway = `/gateways/${crm}/${name}`;
  return [
    '/',
    ...['', '?q=agence-777', '?state=failing&sort=-listings', '?crm=crm-7&page=3'].map((query) => `/gateways${query}`),
    ...[gateway, `${gateway}/listings/H7`, '/listings?id=REF777-3', '/listings?id=nothing'],
    ...['', 'failed', 'held', 'queued', 'published', 'cancelled', 'discarded'].map((state) =>
      state === '' ? '/runs' : `/runs?state=${state}`,
    ),
    ...[`/runs/${held}`, `/runs/${plain}`, '/problems', '/leads', '/connectors', '/connectors/crm-7', '/gateways/new'],
    ...[
      '/audit',
      '/audit?who=operator-7',
      '/audit?act=run+publish&crm=crm-7',
      '/audit?who=nobody',
      '/operators',
      '/about',
    ],
  ];
}

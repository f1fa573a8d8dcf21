import { get } from 'node:http';
import pg from 'pg';
import type { Bench } from './bench';
import { importPortfolio, LISTINGS } from './portfolio';
import { forgetPeak, residentMemory } from './resident-memory';
import { inTurns, timed } from './rounds';

const ROUNDS = 5;

/** The v0 dump of 100,000 listings: its speed against `COPY … TO STDOUT` of the same records, and what it adds to memory. */
export const dump: Bench = {
  name: 'dump',
  async run(surroundings) {
    const { gateway } = await importPortfolio(surroundings);
    const api = await surroundings.start('apps/api/src/main.js');
    const client = new pg.Client({ connectionString: surroundings.databaseUrl });
    await client.connect();
    await client.query('VACUUM ANALYZE');

    const path = `/?variable1=kyero&variable2=${gateway.client}`;
    const idle = residentMemory(api.pid).now;
    forgetPeak(api.pid);
    let bytes = 0;
    const { ours, copy } = await inTurns(ROUNDS, {
      ours: () =>
        timed(async () => {
          bytes = await countBytes(api.port, path, { key: gateway.key });
        }),
      copy: () => timed(() => copyOut(client)),
    });
    const { peak } = residentMemory(api.pid);
    await client.end();
    return [
      {
        what: `the v0 dump of ${LISTINGS} listings, against COPY TO STDOUT`,
        value: copy / ours,
        goal: { min: 0.8 },
        unit: '×',
        detail: `${Math.round(bytes / 1e6)} MB in ${Math.round(ours)} ms against ${Math.round(copy)} ms`,
      },
      {
        what: 'memory of the API during the dump, above idle',
        value: peak - idle,
        goal: { max: 30 },
        unit: 'MB',
        detail: `${Math.round(peak)} MB at the peak, ${Math.round(idle)} MB idle`,
      },
    ];
  },
};

async function countBytes(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`the dump was answered with ${response.statusCode ?? 0}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** The least that a client can do: the driver reads the rows off the wire, nobody looks at them. */
async function copyOut(client: pg.Client): Promise<void> {
  await client.query('COPY listing_raw (body) TO STDOUT');
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Bench } from './bench';
import type { DumpTimes } from './dump-reader';
import { importPortfolio, LISTINGS } from './portfolio';
import { forgetPeak, residentMemory } from './resident-memory';

const READER = join(__dirname, 'dump-reader.js');

/**
 * Compares the speed of the v0 dump of 100,000 listings with `COPY … TO STDOUT` of the same records, and measures the
 * memory that the dump adds.
 */
export const dump: Bench = {
  name: 'dump',
  async run(surroundings) {
    const { gateway } = await importPortfolio(surroundings);
    const api = await surroundings.start('apps/api/src/main.js');
    const client = new pg.Client({ connectionString: surroundings.databaseUrl });
    await client.connect();
    await client.query('VACUUM ANALYZE');
    await client.end();

    const url = `http://127.0.0.1:${api.port}/?variable1=kyero&variable2=${gateway.client}`;
    const idle = residentMemory(api.pid).now;
    forgetPeak(api.pid);
    const { ours, copy, bytes } = await readAlternating(url, gateway.key, surroundings.databaseUrl);
    const { peak } = residentMemory(api.pid);
    return [
      {
        what: `the v0 dump of ${LISTINGS} listings, against COPY TO STDOUT`,
        value: copy / ours,
        goal: { min: 0.9 },
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

async function readAlternating(...words: string[]): Promise<DumpTimes> {
  const { stdout } = await promisify(execFile)(process.execPath, [READER, ...words]);
  return JSON.parse(stdout) as DumpTimes;
}

import { request } from 'node:http';
import pg from 'pg';
import { alternating, timed } from './rounds';
import { sized } from './size';

/**
 * Alternately reads the v0 dump and `COPY … TO STDOUT` of the same records. It runs in a separate process, because in a
 * process that has imported listings the garbage collection would distort the times. Prints the measured times.
 */
export interface DumpTimes {
  /** Milliseconds. */
  ours: number;
  copy: number;
  /** The size of the dump. */
  bytes: number;
}

const ROUNDS = sized(5, 1);
const [url = '', key = '', databaseUrl = ''] = process.argv.slice(2);

async function measure(): Promise<DumpTimes> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // PostgreSQL copies no partitioned table directly. All rows are in one partition, because there is one gateway.
  const { rows } = await client.query<{ partition: string }>(
    'SELECT tableoid::regclass AS partition FROM listing_raw LIMIT 1',
  );
  const partition = rows[0]?.partition ?? '';
  let bytes = 0;
  const times = await alternating(ROUNDS, {
    ours: () =>
      timed(async () => {
        bytes = await countBytes();
      }),
    // The least work that a client can do: the driver reads the rows from the connection and discards them.
    copy: () => timed(() => client.query(`COPY ${partition} (body) TO STDOUT`)),
  });
  await client.end();
  return { ...times, bytes };
}

async function countBytes(): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { key }, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`the dump was answered with ${response.statusCode ?? 0}`));
      });
      response.on('error', reject);
    });
    asked.on('error', reject).end();
  });
}

void measure().then((times) => {
  process.stdout.write(`${JSON.stringify(times)}\n`);
});

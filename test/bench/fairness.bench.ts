import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Finding } from './bench';
import { kyeroFeed, recordsIn } from './feeds';
import { addGateway, type BenchGateway } from './gateways';
import { medianOf } from './rounds';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const SMALL_GATEWAYS = sized(300, 10);
const SMALL_RECORDS = 10;
/** About 50,000 listings. */
const HUGE_BYTES = 100e6;
const SLOW_MS = 200;

/** Compares the time that small gateways of a slow CRM wait with and without a huge gateway beside them. */
export const fairness: Bench = {
  name: 'fairness',
  async run(surroundings) {
    const huge = recordsIn(HUGE_BYTES);
    let version = 0;
    // Each version of the small feed is made only once, because the CRM shares a CPU core with the code that requests
    // the runs.
    const smallFeeds: Buffer[] = [];
    const server = createServer(({ url }, response) => {
      setTimeout(() => {
        if (url === '/huge.xml') {
          Readable.from(kyeroFeed(huge, `version ${version}`), { objectMode: false }).pipe(response);
          return;
        }
        smallFeeds[version] ??= Buffer.concat([...kyeroFeed(SMALL_RECORDS, `version ${version}`)]);
        response.end(smallFeeds[version]);
      }, SLOW_MS);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const small: BenchGateway[] = [];
    for (let n = 0; n < SMALL_GATEWAYS; n += 1) {
      small.push(await addGateway(surroundings, 'kyero', `http://${host}/${n}.xml`));
    }
    const big = await addGateway(surroundings, 'kyero', `http://${host}/huge.xml`);
    // The bench does not measure the request budget of the source.
    await surroundings.database.gateways.change(big.id, { settings: { 'requests-per-second': '10000' } });
    for (const { id } of small) {
      await surroundings.database.gateways.change(id, { settings: { 'requests-per-second': '10000' } });
    }
    const ingestor = await surroundings.start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: host });
    await waitsOf(surroundings, small);

    version += 1;
    const alone = await waitsOf(surroundings, small);
    version += 1;
    await surroundings.database.runRequests.request({ gatewayId: big.id, trigger: 'ops' });
    const beside = await waitsOf(surroundings, small);

    await ingestor.stop();
    server.closeAllConnections();
    server.close();
    return [
      {
        what: `median wait of ${SMALL_GATEWAYS} small gateways beside one of ${huge} listings`,
        value: beside / alone,
        goal: { max: 2 },
        unit: '×',
        detail: `${Math.round(alone)} ms without it, ${Math.round(beside)} ms with it`,
      },
    ] satisfies Finding[];
  },
};

/**
 * Requests a run of each gateway at the same time, and polls until the last run ends. @returns the median duration from
 * the request to the end, in ms
 */
export async function waitsOf(
  { database }: Surroundings,
  gateways: readonly BenchGateway[],
  expected: readonly string[] = ['published', 'unchanged'],
): Promise<number> {
  const startedMs = Date.now();
  const ids = await Promise.all(
    gateways.map(({ id }) => database.runRequests.request({ gatewayId: id, trigger: 'ops' })),
  );
  const waits: number[] = [];
  for (const id of ids) {
    for (;;) {
      const run = await database.runHistory.find(id);
      if (run?.ended_at !== undefined && run.ended_at !== null) {
        if (!expected.includes(run.state)) throw new Error(run.reason ?? `a run is ${run.state}`);
        waits.push(Date.parse(run.ended_at) - startedMs);
        break;
      }
      await sleep(100);
    }
  }
  return medianOf(waits);
}

import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Bench, Finding } from './bench';
import { waitsOf } from './fairness.bench';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway } from './gateways';
import { probesBesideHostileFeeds } from './hostile-feeds';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const HEALTHY_GATEWAYS = sized(100, 10);
const HEALTHY_RECORDS = 10;
const SLOW_MS = 200;
const HOSTILE_SOURCES = sized(20, 2);
const EVERY_MS = 1_000;

/** The ways in which hostile sources answer: each source uses one of them. */
const MISCHIEF: readonly ((response: ServerResponse) => void)[] = [
  // One byte a second.
  (response) => {
    response.write('<');
    const timer = setInterval(() => response.write(' '), EVERY_MS);
    response.once('close', () => {
      clearInterval(timer);
    });
  },
  // No answer.
  () => undefined,
  // No end.
  (response) => {
    Readable.from(endless(), { objectMode: false }).pipe(response);
  },
];

/** Compares the time that healthy gateways wait with and without hostile sources beside them. */
export const hostile: Bench = {
  name: 'hostile',
  async run(surroundings) {
    let version = 0;
    let isMet = false;
    const servers: Server[] = [];
    const listen = async (answer: RequestListener): Promise<string> => {
      const server = createServer(answer);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const good = await listen((_request, response) => {
      setTimeout(() => {
        Readable.from(kyeroFeed(HEALTHY_RECORDS, `version ${version}`), { objectMode: false }).pipe(response);
      }, SLOW_MS);
    });
    const hosts = [good];
    const [healthy, bad]: [BenchGateway[], BenchGateway[]] = [[], []];
    for (let n = 0; n < HOSTILE_SOURCES; n += 1) {
      const host = await listen((_request, response) => {
        if (isMet) MISCHIEF[n % MISCHIEF.length]?.(response);
        else response.writeHead(404).end();
      });
      hosts.push(host);
      bad.push(await addGateway(surroundings, 'kyero', `http://${host}/feed.xml`));
    }
    for (let n = 0; n < HEALTHY_GATEWAYS; n += 1) {
      healthy.push(await addGateway(surroundings, 'kyero', `http://${good}/${n}.xml`));
    }
    for (const { id } of [...healthy, ...bad]) {
      // The bench does not measure the request budget of the source.
      await surroundings.database.gateways.change(id, { settings: { 'requests-per-second': '10000' } });
    }
    const ingestor = await surroundings.start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: hosts.join() });
    await waitsOf(surroundings, healthy);
    // Let the hostile sources fail once before the measurement, because in a real installation they would have failed
    // long ago.
    await waitsOf(surroundings, bad, ['failed']);
    isMet = true;

    version += 1;
    const alone = await waitsOf(surroundings, healthy);
    version += 1;
    await askFor(surroundings, bad);
    const beside = await waitsOf(surroundings, healthy);

    for (const server of servers) server.closeAllConnections();
    await ingestor.stop();
    for (const server of servers) server.close();
    return [
      {
        what: `median wait of ${HEALTHY_GATEWAYS} healthy gateways beside ${HOSTILE_SOURCES} hostile sources`,
        value: beside / alone,
        goal: { max: 2 },
        unit: '×',
        detail: `${Math.round(alone)} ms without them, ${Math.round(beside)} ms with them`,
      },
      await probesBesideHostileFeeds(surroundings),
      ...(await hostileRecords()),
    ] satisfies Finding[];
  },
};

const runFile = promisify(execFile);
const MOST_RECORD_MS = 200;

/** Measures, per connector, the highest CPU time of a record with 100 KB of one kind of text. */
async function hostileRecords(): Promise<Finding[]> {
  const script = join(process.cwd(), 'test/support/connectors/print-hostile-times.ts');
  const { stdout } = await runFile(process.execPath, ['--require', 'tsx/cjs', script], { maxBuffer: 2 ** 24 });
  const slowest = JSON.parse(stdout) as { connector: string; ms: number; by: string }[];
  return slowest.map(({ connector, ms, by }) => ({
    what: `CPU time of a hostile record of ${connector}`,
    value: ms,
    goal: { max: MOST_RECORD_MS },
    unit: 'ms',
    detail: by,
  }));
}

/**
 * Requests runs of the hostile gateways and returns when the first run has begun, so that runs of healthy gateways come
 * later.
 */
async function askFor({ database }: Surroundings, gateways: readonly BenchGateway[]): Promise<void> {
  const ids: number[] = [];
  for (const { id } of gateways) ids.push(await database.runRequests.request({ gatewayId: id, trigger: 'ops' }));
  for (;;) {
    const runs = await Promise.all(ids.map((id) => database.runHistory.find(id)));
    if (runs.some((run) => run?.state === 'running')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function* endless(): Generator<Buffer> {
  const pieces = [...kyeroFeed(1_000)].map((piece) => piece.toString().replace('</root>', ''));
  for (;;) for (const piece of pieces) yield Buffer.from(piece);
}

import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fixtureRecords, PAYLOADS, textOf, withText } from '../support/connectors/hostile-records';
import type { Finding } from './bench';
import { addGateway } from './gateways';
import type { Surroundings } from './surroundings';
import { sized } from './size';

/** Connectors whose feed is one XML file at a URL. */
const CONNECTORS = ['kyero', 'immobiliare', 'inmovilla', 'openimmo', 'swissrets'];
/** The source folder, because the build contains no fixtures; `npm run bench` runs in the root of the project. */
const SOURCES = join(process.cwd(), 'libs/connectors/src/sources');
const TEXT_LENGTH = 100_000;
const LARGE_TEXT_LENGTH = sized(3_000_000, 300_000);
const PROBE_EVERY_MS = 10;
const DONE_EVERY_MS = 500;
const MOST_MS = 200;

/**
 * Measures the longest time that an ingestor's health probe waits while the ingestor reads feeds with hostile texts.
 */
export async function probesBesideHostileFeeds(surroundings: Surroundings): Promise<Finding> {
  const feeds = new Map<string, Buffer>();
  for (const connector of CONNECTORS) feeds.set(connector, await hostileFeed(connector));
  const server = createServer(({ url = '' }, response) => {
    response.end(feeds.get(url.slice(1).replace('.xml', '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ingestor = await surroundings.start('apps/ingestor/src/main.js', { ALLOW_PRIVATE_SOURCES: host });
  const found: { connector: string; longestMs: number; state: string }[] = [];
  for (const connector of CONNECTORS) {
    const { id } = await addGateway(surroundings, connector, `http://${host}/${connector}.xml`);
    const run = await surroundings.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    const probes = await probesUntil(`http://127.0.0.1:${ingestor.port}/health/live`, () => isOver(surroundings, run));
    const state = (await surroundings.database.runHistory.find(run))?.state ?? 'none';
    found.push({ connector, longestMs: Math.max(...probes), state });
  }
  await ingestor.stop();
  await closed(server);
  return {
    what: 'longest wait of a probe of an ingestor beside hostile feeds',
    value: Math.max(...found.map(({ longestMs }) => longestMs)),
    goal: { max: MOST_MS },
    unit: 'ms',
    detail: found
      .map(({ connector, longestMs, state }) => `${connector} ${Math.round(longestMs)} (${state})`)
      .join(', '),
  };
}

/**
 * A feed of a connector with copies of its largest record. Each copy has a hostile text in another leaf; some texts
 * have 3 MB.
 */
async function hostileFeed(connector: string): Promise<Buffer> {
  const folder = join(SOURCES, connector, '__fixtures__');
  const records = (await fixtureRecords(connector)).filter(({ bytes }) => bytes[0] === 0x3c);
  const largest = records.toSorted((a, b) => b.leaves.length - a.leaves.length)[0];
  if (largest === undefined) throw new Error(`${connector} has no record in XML`);
  const file = readdirSync(folder).find((name) => largest.name.startsWith(`${connector}/${name} `)) ?? '';
  const whole = readFileSync(join(folder, file));
  const at = whole.indexOf(largest.bytes);
  if (at < 0) throw new Error(`${connector}: the record is not in ${file} as it is`);
  const payloads = PAYLOADS.filter(({ end }) => end !== '');
  const hostile = largest.leaves.map((leaf, index) => {
    const length = index % 10 === 0 ? LARGE_TEXT_LENGTH : TEXT_LENGTH;
    return withText(largest.bytes, [leaf], textOf(payloads[(index * 7) % payloads.length]!, length));
  });
  return Buffer.concat([whole.subarray(0, at), ...hostile, whole.subarray(at)]);
}

/** @returns the duration of each probe, in ms */
async function probesUntil(url: string, isDone: () => Promise<boolean>): Promise<number[]> {
  const waits: number[] = [];
  for (let askedMs = 0; ;) {
    const startMs = performance.now();
    await (await fetch(url)).text();
    waits.push(performance.now() - startMs);
    if (startMs - askedMs > DONE_EVERY_MS) {
      if (await isDone()) return waits;
      askedMs = startMs;
    }
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
}

async function isOver({ database }: Surroundings, id: number): Promise<boolean> {
  const state = (await database.runHistory.find(id))?.state;
  return state !== 'queued' && state !== 'running';
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

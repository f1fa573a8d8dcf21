import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { freePort } from '../../tools/embedded/embedded-postgres';
import {
  addNotifiedGateways,
  connectionsTo,
  publishEmpty,
  type NotifiedGateway,
  NOTIFIED_SECRETS_KEY,
} from '../support/notified-gateways';
import type { Bench, Finding } from './bench';
import { cpuTimeOf, cpuTimeOfPostgres } from './cpu-time';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const ENDPOINTS = sized(10_000, 100);
/** One endpoint in this many is bad: half of the bad ones send one byte per second, the others are dead. */
const BAD_ONE_IN = 20;
const PUBLICATIONS_A_SECOND = 100;
const SECONDS = sized(25, 3);
/** Runs before the first part, because at the start no code is compiled and no page is in memory. */
const WARM_UP_SECONDS = sized(10, 1);
/**
 * The speed of the machine varies. Therefore the two kinds come in pairs, and each kind is first and second equally
 * often.
 */
const ORDER = ['well', 'mixed', 'mixed', 'well', 'well', 'mixed', 'mixed', 'well'] as const;
/** The time for pending deliveries after each part. */
const AFTER_MS = 5_000;
const GOAL_S = 2;
const GOAL_RATIO = 1.2;

/**
 * Measures the time from a publication to the answer of a webhook endpoint, with and without bad endpoints among the
 * others.
 */
export const webhooks: Bench = { name: 'webhooks', run: measureWebhooks };

async function measureWebhooks(surroundings: Surroundings): Promise<Finding[]> {
  const site = await startSite();
  const deadHost = `127.0.0.1:${await freePort()}`;
  const client = new pg.Client({ connectionString: surroundings.databaseUrl });
  await client.connect();
  const pool = connectionsTo(surroundings.databaseUrl, 16);
  const { gateways } = await addNotifiedGateways(client, {
    count: ENDPOINTS,
    urlOf: (n) => `http://${isBad(n) && n % (2 * BAD_ONE_IN) === 0 ? deadHost : site.host}/${n}`,
  });
  const ingestor = await surroundings.start('apps/ingestor/src/main.js', {
    ...{ SECRETS_KEY: NOTIFIED_SECRETS_KEY, ALLOW_PRIVATE_SOURCES: `${site.host},${deadHost}` },
  });
  try {
    const parts = { well: [] as Part[], mixed: [] as Part[] };
    const good = gateways.filter((_, n) => !isBad(n));
    const cpuMs = (): number => cpuTimeOfPostgres() + cpuTimeOf(ingestor.pid);
    await publishFor(pool, site, gateways, WARM_UP_SECONDS, cpuMs);
    for (const which of ORDER)
      parts[which].push(await publishFor(pool, site, which === 'well' ? good : gateways, SECONDS, cpuMs));
    const well = parts.well.flatMap(({ seconds }) => seconds);
    const mixed = parts.mixed.flatMap(({ seconds }) => seconds);
    const ratios = parts.well.map((part, pair) => p95(parts.mixed[pair]!.seconds) / p95(part.seconds));
    const each = (some: readonly Part[]): string =>
      some
        .map(({ seconds, unanswered }) => ms(p95(seconds)) + (unanswered === 0 ? '' : `, ${unanswered} unanswered`))
        .join(', ');
    return [
      {
        what: `publication until an endpoint has answered, ${PUBLICATIONS_A_SECOND} publications a second, p95`,
        ...{ value: p50(parts.well.map(({ seconds }) => p95(seconds))), goal: { max: GOAL_S }, unit: 's' },
        detail: `${well.length} messages to ${good.length} endpoints, median ${ms(p50(well))}, parts ${each(parts.well)}; ${rateOf(parts.well)} a second, ${cpuOf(parts.well)}`,
      },
      {
        what: `the same beside one endpoint of ${BAD_ONE_IN} that is dead or drips`,
        ...{ value: p50(ratios), goal: { max: GOAL_RATIO }, unit: '×' },
        detail: `${mixed.length} messages to those that are well, median ${ms(p50(mixed))}, parts ${each(parts.mixed)}; pairs ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; ${rateOf(parts.mixed)} publications a second, ${cpuOf(parts.mixed)}`,
      },
    ];
  } finally {
    await ingestor.stop();
    await pool.end();
    await client.end();
    await site.close();
  }
}

function isBad(n: number): boolean {
  return n % BAD_ONE_IN === 0;
}

interface Part {
  seconds: number[];
  publications: number;
  tookSeconds: number;
  /** CPU time of PostgreSQL and the ingestor. */
  cpuMs: number;
  /** Messages that healthy endpoints have not answered by the end of the part. */
  unanswered: number;
}

/** Publishes at a steady rate, each time for another gateway. */
async function publishFor(
  pool: pg.Pool,
  site: Site,
  gateways: readonly NotifiedGateway[],
  forSeconds: number,
  cpuMsOf: () => number,
): Promise<Part> {
  const committedAt = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let publications = 0;
  site.answeredAt.clear();
  const cpuBeforeMs = cpuMsOf();
  const startedMs = performance.now();
  const start = Math.floor(Math.random() * gateways.length);
  for (let n = 0; n < forSeconds * PUBLICATIONS_A_SECOND; n += 1) {
    await sleep(startedMs + (n * 1000) / PUBLICATIONS_A_SECOND - performance.now());
    // The stride and the number of gateways have no common factor, so each gateway comes once before any comes again.
    const gateway = gateways[(start + n * 7919) % gateways.length]!;
    const publishing = publishEmpty(pool, gateway.id).then((token) => {
      publications += 1;
      if (!isBad(Number(gateway.client.slice('told-'.length)))) committedAt.set(token, performance.now());
    });
    underWay.add(publishing);
    void publishing.finally(() => underWay.delete(publishing));
  }
  await Promise.all(underWay);
  const tookSeconds = (performance.now() - startedMs) / 1000;
  await sleep(AFTER_MS);
  const cpuMs = cpuMsOf() - cpuBeforeMs;
  // A message without an answer so far counts as answered now.
  const endMs = performance.now();
  const seconds = [...committedAt].map(
    ([token, atMs]) => Math.max(0, (site.answeredAt.get(token) ?? endMs) - atMs) / 1000,
  );
  const unanswered = [...committedAt.keys()].filter((token) => !site.answeredAt.has(token)).length;
  return { seconds, publications, tookSeconds, cpuMs, unanswered };
}

function sum(parts: readonly Part[], of: (part: Part) => number): number {
  return parts.reduce((total, part) => total + of(part), 0);
}

/** The CPU time is more reliable than the duration when other programs also use the machine. */
function cpuOf(parts: readonly Part[]): string {
  const each = sum(parts, ({ cpuMs }) => cpuMs) / sum(parts, ({ publications }) => publications);
  return `${each.toFixed(1)} ms of CPU time each`;
}

function rateOf(parts: readonly Part[]): string {
  return (sum(parts, ({ publications }) => publications) / sum(parts, ({ tookSeconds }) => tookSeconds)).toFixed(0);
}

interface Site {
  host: string;
  /** The time of each answer, by the token of the list. */
  answeredAt: Map<string, number>;
  close(): Promise<void>;
}

/**
 * Answers immediately, except at the path of a bad endpoint: there it sends one byte of the head per second without
 * end.
 */
async function startSite(): Promise<Site> {
  const answeredAt = new Map<string, number>();
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => '');
    if (isBad(Number(request.url?.slice(1)))) {
      drip(response);
      return;
    }
    const { data } = JSON.parse(body) as { data: { snapshot: string } };
    response.once('finish', () => answeredAt.set(data.snapshot, performance.now()));
    response.writeHead(204).end();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    answeredAt,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function drip({ socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 200 OK\r\nx-drip: ');
  const timer = setInterval(() => socket?.write('x'), 1_000);
  socket?.once('close', () => {
    clearInterval(timer);
  });
}

const ms = (seconds: number): string => `${(seconds * 1000).toFixed(0)} ms`;
const p50 = (values: readonly number[]): number => quantile(values, 0.5);
const p95 = (values: readonly number[]): number => quantile(values, 0.95);

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

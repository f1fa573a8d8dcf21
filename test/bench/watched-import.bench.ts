import { fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchBrowser, CONSOLE_SECRETS, SECRETS_KEY, signIn } from './bench-browser';
import type { Bench } from './bench';
import { cpuTimeOf } from './cpu-time';
import { addConsoleRows } from './console-rows';
import { kyeroFeed, recordsIn } from './feeds';
import { addGateway, type BenchGateway, drop, importedBy, importNow } from './gateways';
import { medianOf } from './rounds';
import { AS_IT_COMES, type Surroundings } from './surroundings';
import { sized } from './size';

/** `WATCHED_BYTES` makes the feed smaller. */
const FEED_BYTES = sized(Number(process.env['WATCHED_BYTES'] ?? 1e9), 3e6);
const CONSOLES = sized(50, 3);
/** The interval of the script in the pages. */
const REFRESH_MS = 15_000;
const PLACES = ['/', '/gateways', '/gateways?state=failing', '/runs'];
const ROUNDS = sized(2, 1);
/** The interval at which sites request pages of the API, one after the other. */
const PAGE_EVERY_MS = 20;
const SMALL_LISTINGS = 500;
const PER_PAGE = 50;
const OTHERS = { gateways: sized(2_000, 20), runs: 50, listings: 500 };

interface Turn {
  importMs: number;
  pagesMs: number[];
  /** Durations of the console pages that refreshed themselves. */
  refreshedMs: number[];
  /** CPU time of the console's process. */
  consoleMs: number;
}

/** Measures a first import of 1 GB and pages of the API, alternately with 50 open consoles and with none. */
export const watchedImport: Bench = {
  name: 'watched-import',
  async run(surroundings) {
    await addConsoleRows(surroundings.databaseUrl, OTHERS);
    const small = await smallGateway(surroundings);
    const crm = fork(join(__dirname, 'feed-process.js'));
    const [host] = (await once(crm, 'message')) as [string];
    const records = recordsIn(FEED_BYTES);
    crm.send(await drop(surroundings, 'large.xml', kyeroFeed(records)));
    await once(crm, 'message');
    const api = await surroundings.start('apps/api/src/main.js', AS_IT_COMES);
    const console = await surroundings.start('apps/console/src/main.js', CONSOLE_SECRETS);
    await surroundings.start('apps/ingestor/src/main.js', { SECRETS_KEY, ALLOW_PRIVATE_SOURCES: host });
    const browsers = await manyBrowsers(surroundings, `http://127.0.0.1:${console.port}`);
    const turn = async (watchers: readonly BenchBrowser[]): Promise<Turn> => {
      const gateway = await addGateway(surroundings, 'kyero', `http://${host}/feed.xml`);
      const ends = new AbortController();
      setMaxListeners(2 * CONSOLES, ends.signal);
      const before = cpuTimeOf(console.pid);
      const [importMs, pagesMs, refreshedMs] = await Promise.all([
        importedBy(surroundings, gateway.id).finally(() => {
          ends.abort();
        }),
        pagesUntil(ends.signal, api.port, small),
        Promise.all(watchers.map((browser, index) => watchUntil(ends.signal, browser, index))),
      ]);
      return { importMs, pagesMs, refreshedMs: refreshedMs.flat(), consoleMs: cpuTimeOf(console.pid) - before };
    };
    const [without, withAll]: [Turn[], Turn[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each kind is first in every second round, so that both kinds meet the same PostgreSQL work left from earlier
      // imports.
      const kinds = [
        () => turn([]).then((one) => without.push(one)),
        () => turn(browsers).then((one) => withAll.push(one)),
      ];
      for (const take of round % 2 === 0 ? kinds : kinds.toReversed()) await take();
    }
    crm.kill();
    const importOf = (turns: readonly Turn[]): number => medianOf(turns.map(({ importMs }) => importMs));
    const page = (turns: readonly Turn[], share: number): number =>
      most(
        turns.flatMap(({ pagesMs }) => pagesMs),
        share,
      );
    const refreshed = withAll.flatMap(({ refreshedMs }) => refreshedMs);
    const total = (turns: readonly Turn[], of: 'importMs' | 'consoleMs'): number =>
      turns.reduce((sum, turn) => sum + turn[of], 0);
    const seconds = (ms: number): string => (ms / 1000).toFixed(1);
    return [
      {
        what: `the first import of ${FEED_BYTES / 1e6} MB beside ${CONSOLES} consoles, against none`,
        value: importOf(withAll) / importOf(without),
        goal: { max: 1.05 },
        unit: '×',
        detail: `${records} records in ${seconds(importOf(withAll))} s against ${seconds(importOf(without))} s; ${OTHERS.gateways} gateways`,
      },
      {
        what: 'the 99th of 100 pages of the API meanwhile, against none',
        value: page(withAll, 0.99) / page(without, 0.99),
        goal: { max: 1.1 },
        unit: '×',
        detail: `${page(withAll, 0.99).toFixed(1)} ms against ${page(without, 0.99).toFixed(1)} ms, medians ${page(withAll, 0.5).toFixed(1)} and ${page(without, 0.5).toFixed(1)} ms; ${withAll.flatMap(({ pagesMs }) => pagesMs).length} pages`,
      },
      {
        what: 'CPU time of the console meanwhile, of one core’s',
        value: total(withAll, 'consoleMs') / total(withAll, 'importMs'),
        goal: null,
        unit: '×',
        detail: `${seconds(total(withAll, 'consoleMs'))} s; without that of its queries`,
      },
      {
        what: `a page of the consoles that refreshes itself beside the import, p95`,
        value: most(refreshed, 0.95),
        goal: null,
        unit: 'ms',
        detail: `median ${Math.round(most(refreshed, 0.5))} ms; ${refreshed.length} pages`,
      },
    ];
  },
};

async function smallGateway(surroundings: Surroundings): Promise<BenchGateway> {
  await drop(surroundings, 'small.xml', kyeroFeed(SMALL_LISTINGS));
  const gateway = await addGateway(surroundings, 'kyero', 'file:small.xml');
  await importNow(surroundings, gateway);
  return gateway;
}

async function manyBrowsers({ database }: Surroundings, url: string): Promise<BenchBrowser[]> {
  const browsers: BenchBrowser[] = [];
  for (let number = 1; number <= CONSOLES; number += 1) {
    await database.operators.add(`watcher-${number}`, 'viewer', '');
    browsers.push(await signIn(database, url, `watcher-${number}`));
  }
  return browsers;
}

async function pagesUntil(signal: AbortSignal, port: number, { client, key }: BenchGateway): Promise<number[]> {
  const times: number[] = [];
  for (let page = 0; !signal.aborted; page = (page + 1) % (SMALL_LISTINGS / PER_PAGE)) {
    const from = performance.now();
    const path = `/v1/properties?crm=kyero&client=${client}&per_page=${PER_PAGE}&page=${page + 1}`;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { key } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    times.push(performance.now() - from);
    await sleep(PAGE_EVERY_MS);
  }
  return times;
}

/** Starts each console at a different moment, as operators do. */
async function watchUntil(signal: AbortSignal, browser: BenchBrowser, index: number): Promise<number[]> {
  const times: number[] = [];
  const pause = async (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => undefined);
  await pause((index * REFRESH_MS) / CONSOLES);
  while (!signal.aborted) {
    times.push(await browser.ask(PLACES[index % PLACES.length]!, { 'x-live': '1' }));
    await pause(REFRESH_MS);
  }
  return times;
}

function most(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}

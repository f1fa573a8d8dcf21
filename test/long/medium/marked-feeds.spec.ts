import { readFileSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { type ConsoleUnderTest, startConsole } from '../../medium/console/console-under-test';

/** `MARKED_FEEDS=200` is the full size. */
const FEEDS = Number(process.env['MARKED_FEEDS'] ?? 8);
const CODES = ['en', 'fr'] as const;
const SOURCES = join(__dirname, '..', '..', '..', 'libs', 'connectors', 'src', 'sources');
/** Feeds in the vendors' formats. */
const SAMPLES = [
  ['kyero', 'v3.xml'],
  ['ubiflow', 'annonces.xml'],
  ['immobiliare', 'getrix.xml'],
  ['openimmo', 'voll.xml'],
  ['inmovilla', 'france.xml'],
  ['swissrets', 'export.json'],
] as const;
/** Texts that a browser would run if a page did not escape them. */
const MARKS = [
  '<script>window.ran=1</script>',
  '"><img src=x onerror="window.ran=1">',
  "'><svg onload='window.ran=1'>",
  '</textarea></title></style><script>window.ran=1</script>',
  '" autofocus onfocus="window.ran=1" x="',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  'javascript:window.ran=1',
  '<a href="javascript:window.ran=1" style="position:fixed;inset:0">x</a>',
];
/**
 * Ways to insert the marks: after each value, in place of each value, or only in texts of several words. The last way
 * keeps the records valid, so that they become listings.
 */
const WAYS = ['after', 'instead', 'in words'] as const;
type Way = (typeof WAYS)[number];
const TIMEOUT_MS = 60_000 + FEEDS * 15_000;
const LISTINGS_EACH = 2;

// Real: the console, PostgreSQL, the ingestor's code from the file to the published list, a browser. Fake: only the
// feeds.
(BROWSER === null ? describe.skip : describe)('feeds with markup in every field', () => {
  let console: ConsoleUnderTest;
  let browser: Browser;
  let inboxDir: string;
  let registry: ConnectorRegistry;
  /** The pages of all feeds by language. The feeds alternate between the languages. */
  const paths = { en: [] as string[], fr: [] as string[] };

  beforeAll(async () => {
    console = await startConsole();
    registry = await loadRegistry();
    inboxDir = await mkdtemp(join(tmpdir(), 'marked-'));
    for (let number = 0; number < FEEDS; number += 1)
      paths[CODES[(number >> 1) % 2]!].push(...(await readMarked(number)));
    const admin = await console.signedIn('admin');
    browser = await Browser.launch();
    const first = await browser.open(`${console.url}/sign-in`, { width: 1440, height: 900 });
    const cookie = { name: 'passerelle', value: admin.cookies.get('passerelle'), url: console.url };
    await first.send('Network.setCookie', cookie);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser.close();
    await console.close();
    await rm(inboxDir, { recursive: true });
  });

  /** Runs a gateway with a marked feed. @returns the pages that show the results */
  const readMarked = async (number: number): Promise<string[]> => {
    const mark = MARKS[number % MARKS.length]!;
    const way = WAYS[number % WAYS.length]!;
    const sample = number % 2 === 0 ? null : SAMPLES[(number >> 1) % SAMPLES.length]!;
    const crm = sample?.[0] ?? 'kyero';
    const { database } = console.db;
    const file = `marked-${number}.${sample?.[1].endsWith('.json') === true ? 'json' : 'xml'}`;
    const id = await database.gateways.add(
      {
        ...{ crm, client: `marked-${number}`, sourceUrl: `file:${file}`, settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(String(number).padEnd(32)), prefix: 'psr_abcd' },
    );
    const read = async (feed: string): Promise<void> => {
      const path = join(inboxDir, file);
      await writeFile(path, feed);
      await utimes(path, 1_700_000_000, 1_700_000_000 + feed.length);
      await database.runRequests.request({ gatewayId: id, trigger: 'schedule' });
      await runWaiting(database, id, { registry, outbound: { allowPrivate: new Set(), inboxDir } });
    };
    if (sample === null) {
      // The second feed lacks most listings, so the run is held, and its page shows the listings that it would remove.
      await read(markXml(aKyeroFeed(ids(12).map(aDescribed)), 'in words', mark));
      await read(markXml(aKyeroFeed([aDescribed('1'), aDescribed('new')]), 'in words', mark));
      await read(markXml(aKyeroFeed(ids(3).map(aDescribed)), way, mark));
    } else {
      const feed = readFileSync(join(SOURCES, sample[0], '__fixtures__', sample[1]), 'utf8');
      await read(file.endsWith('.json') ? markJson(feed, way, mark) : markXml(feed, way, mark));
    }
    const runs = await console.db.query<{ id: number }>('SELECT id FROM run WHERE gateway_id = $1', [id]);
    const listings = await console.db.query<{ listing: string }>(
      `(SELECT aff_id AS listing FROM current_listing WHERE gateway_id = $1 LIMIT ${LISTINGS_EACH})
       UNION (SELECT record_id FROM rejection j JOIN run r ON r.id = j.run_id WHERE r.gateway_id = $1 AND record_id IS NOT NULL LIMIT 1)`,
      [id],
    );
    return [
      `/gateways/${crm}/marked-${number}`,
      ...runs.map((run) => `/runs/${run.id}`),
      ...listings.map(({ listing }) => `/gateways/${crm}/marked-${number}/listings/${encodeURIComponent(listing)}`),
    ];
  };

  it.each(CODES)(
    'appear as plain text on every page: no script in them runs, and the browser reports no error (%s)',
    async (code) => {
      const all = ['/', '/gateways', '/runs', '/runs?state=held', '/problems', '/audit', '/connectors', '/about'];
      const states = await console.db.query<{ state: string }>('SELECT DISTINCT state FROM run');
      expect(states.map(({ state }) => state)).toEqual(expect.arrayContaining(['published', 'held']));
      await browser.open(`${console.url}/language?to=%2F&code=${code}`, { width: 1440, height: 900 });
      let marked = 0;
      for (const path of [...all, ...paths[code]]) {
        const page = await browser.open(console.url + path, { width: 1440, height: 900 });
        const found = await lookFor(page);
        expect({ path, ...found }).toEqual({ path, language: code, ran: false, made: [], isMarked: found.isMarked });
        // The hosts of the feeds' photos do not exist.
        const errors = page.errors.filter((error) => !error.includes('"source":"network"'));
        expect({ path, errors }).toEqual({ path, errors: [] });
        if (found.isMarked) marked += 1;
        await page.send('Page.close');
      }
      expect(marked).toBeGreaterThan(FEEDS / 2);
    },
    TIMEOUT_MS,
  );
});

interface Found {
  language: string;
  ran: boolean;
  /** Elements that none of our own pages contains. */
  made: string[];
  isMarked: boolean;
}

async function lookFor(page: BrowserPage): Promise<Found> {
  return (await page.evaluate(`({
    language: document.documentElement.lang,
    ran: window.ran !== undefined,
    made: [...document.querySelectorAll('script:not([src^="/live-"]), iframe, object, embed, [srcdoc], [autofocus], [style], a[href^="javascript:" i], img[src="x"]'),
           ...[...document.querySelectorAll('*')].filter((one) => one.getAttributeNames().some((name) => name.startsWith('on')))].map((one) => one.outerHTML.slice(0, 200)),
    isMarked: document.body.textContent.includes('window.ran'),
  })`)) as Found;
}

function aDescribed(id: string): string {
  const desc = 'Une maison avec jardin, au calme. '.repeat(3);
  return aProperty(id, { desc: `<fr>${desc}</fr>`, location_detail: 'au bord de la mer, 5 min', notes: desc });
}

function isInWords(text: string): boolean {
  return / \S+ /.test(text);
}

function marked(text: string, way: Way, mark: string): string {
  if (way === 'instead') return mark;
  return way === 'after' || isInWords(text) ? text + mark : text;
}

/** Marks texts and attributes, except the attributes that declare the type of the document. */
function markXml(feed: string, way: Way, mark: string): string {
  const escaped = mark
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const inText = feed.replace(/>(\s*[^<>\s][^<>]*)</g, (_all, text: string) => `>${marked(text, way, escaped)}<`);
  if (way !== 'after') return inText;
  return inText.replace(
    /(<[a-zA-Z][^<>]*?\s(?!xmlns|xsi|version)[a-z]+=")([^"<>]+)"/g,
    (_all, start: string, value: string) => `${start}${value}${escaped}"`,
  );
}

function markJson(feed: string, way: Way, mark: string): string {
  return JSON.stringify(JSON.parse(feed), (_name, value: unknown) =>
    typeof value === 'string' ? marked(value, way, mark) : value,
  );
}

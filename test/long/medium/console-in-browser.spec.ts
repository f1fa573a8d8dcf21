import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { addExportedPlacement } from '../../support/exports/placements';
import { until } from '../../support/waiting';
import { FakeWorker } from '../../medium/ops/fake-worker';
import { type ConsoleUnderTest, startConsole } from '../../medium/console/console-under-test';

const HELD = { state: 'held', reasonCode: 'vanished', reason: '2 of 3 listings would go' } as const;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The folder for screenshots of the pages; no screenshots without it. */
const PICTURES = process.env['CONSOLE_PICTURES'];
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } };

// Real: the console, PostgreSQL, a browser. Fake: the ingestor.
(BROWSER === null ? describe.skip : describe)('the console in a browser', () => {
  let console: ConsoleUnderTest;
  let browser: Browser;
  let run: number;

  beforeAll(async () => {
    console = await startConsole();
    const { db } = console;
    const worker = new FakeWorker(db);
    await db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: 'where the feed is' }]);
    const add = (client: string): Promise<number> =>
      db.database.gateways.add(
        {
          ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example.org/x.xml', settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.from(client.padEnd(32)), prefix: 'psr_abcd' },
      );
    for (let index = 1; index <= 55; index += 1) await add(`agence-${String(index).padStart(2, '0')}`);
    const held = await add('agence-du-port');
    await worker.run(held, { listings: ['A', 'B', 'C'] });
    const record = {
      position: 2,
      recordId: '1042',
      field: 'type',
      code: 'missing-id',
      message: 'it has no id',
      excerpt: '<x/>',
    };
    run = await worker.run(held, { listings: ['A'], rejections: [record as never] }, HELD);
    await addExportedPlacement(db, held);
    const failing = await add('agence-de-la-gare');
    await worker.run(
      failing,
      { listings: [] },
      { state: 'failed', reasonCode: 'timeout', reason: 'it did not answer' },
    );
    await db.query('UPDATE gateway_schedule SET failures = 3, failing_since = now() WHERE gateway_id = $1', [failing]);
    await db.query(
      `INSERT INTO run_warning (run_id, code, field, value, count, examples) VALUES ($1, 'unknown-word', 'type', 'finca', 4, '{A,B}')`,
      [run],
    );
    const admin = await console.signedIn('admin');
    await admin.post(
      '/gateways/kyero/agence-01/act',
      { act: 'disable', reason: 'they left' },
      '/gateways/kyero/agence-01',
    );
    await admin.post(
      '/gateways/kyero/agence-02/act',
      { act: 'pause', reason: 'they move', until: '2099-01-01T08:00' },
      '/gateways/kyero/agence-02',
    );
    await admin.post(
      '/notifications',
      { act: 'add-channel', kind: 'email', address: 'ops@agence.example' },
      '/notifications',
    );
    await admin.post('/notifications', { act: 'add-rule', channel: '1', event: ['failing', 'held'] }, '/notifications');
    browser = await Browser.launch();
    const first = await browser.open(`${console.url}/sign-in`, SIZES.desk);
    await first.send('Network.setCookie', {
      name: 'passerelle',
      value: admin.cookies.get('passerelle'),
      url: console.url,
    });
  });
  afterAll(async () => {
    await browser.close();
    await console.close();
  });

  const paths = () => [
    ...['/', '/gateways', '/gateways/kyero/agence-du-port', '/gateways/kyero/agence-01', '/runs', `/runs/${run}`],
    ...[
      '/listings?id=nothing',
      '/connectors',
      '/connectors/kyero',
      '/gateways/new',
      '/gateways/new/csv',
      '/connectors/kyero/add',
      '/gateways/kyero/agence-02',
      '/gateways/kyero/agence-du-port/edit',
      '/gateways/kyero/agence-du-port/keys',
      '/gateways/kyero/agence-du-port/remove',
      '/notifications',
      '/exports',
      '/exports/1',
      '/gateways/kyero/agence-du-port/adverts',
    ],
    ...['/gateways/kyero/agence-du-port/listings/C', '/problems', '/audit', '/operators', '/about', '/nothing'],
  ];

  it.each(Object.keys(SIZES) as (keyof typeof SIZES)[])(
    'has no accessibility fault that axe finds, in light or dark mode, and fits the width of a %s',
    async (size) => {
      for (const path of paths()) {
        const page = await browser.open(console.url + path, SIZES[size]);
        await page.evaluate(AXE);
        for (const scheme of ['light', 'dark']) {
          await page.send('Emulation.setEmulatedMedia', {
            features: [{ name: 'prefers-color-scheme', value: scheme }],
          });
          expect({ path, size, scheme, faults: await faultsOf(page) }).toEqual({ path, size, scheme, faults: [] });
          await takePicture(page, `${path.replaceAll('/', '_')}-${size}-${scheme}`);
        }
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect({ path, fits: Number(width) <= SIZES[size].width }).toEqual({ path, fits: true });
        // The browser reports the missing page as an error, as expected.
        if (path !== '/nothing') expect({ path, errors: page.errors }).toEqual({ path, errors: [] });
        await page.send('Page.close');
      }
    },
    600_000,
  );

  it('refreshes its figures without moving the text, and does not refresh while the user types or has ticked a row', async () => {
    const page = await browser.open(`${console.url}/gateways?q=gare`, SIZES.desk);
    // Do not wait for the script's timer, because a window refreshes immediately when it becomes visible again.
    const shownAgain = async (): Promise<unknown> =>
      page.evaluate(`new Promise((resolve) => {
        document.dispatchEvent(new Event('visibilitychange'));
        setTimeout(() => resolve(document.querySelector('main').innerText), 1000);
      })`);
    expect(await shownAgain()).toContain('failing');
    console.wait(11);
    await console.db.query(`UPDATE gateway SET enabled = false WHERE client = 'agence-de-la-gare'`);
    await page.evaluate(`document.querySelector('input[name=ids]').click()`);
    await shownAgain();
    expect(await page.evaluate(`document.querySelector('td .badge').innerText`)).toBe('failing');
    await page.evaluate(`document.querySelector('input[name=ids]').click(); document.activeElement.blur()`);
    await until(async () => {
      await shownAgain();
      return (await page.evaluate(`document.querySelector('td .badge').innerText`)) === 'disabled';
    });
    expect(page.errors).toEqual([]);
    await console.db.query(`UPDATE gateway SET enabled = true WHERE client = 'agence-de-la-gare'`);
  });

  it('works without its script, with plain forms', async () => {
    const page = await browser.open(`${console.url}/gateways?q=agence-0`, SIZES.desk);
    await page.evaluate(`document.querySelector('input[name=ids]').click()`);
    const confirmed = await pressed(page, 'button[value=disable]');
    expect(confirmed).toContain('This gateway');
    const done = await pressed(page, 'main button[name=act]');
    expect(done).toContain('Done for 1 gateway.');
  });
});

async function faultsOf(page: BrowserPage): Promise<unknown> {
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ').slice(0, 300)))`,
  );
}

/** Clicks an element and returns the text of the page that the click opens. */
async function pressed(page: BrowserPage, selector: string): Promise<string> {
  await page.evaluate(`window.isOld = true; document.querySelector(${JSON.stringify(selector)}).click()`);
  for (;;) {
    const text = await page
      .evaluate(`window.isOld || document.readyState !== 'complete' ? '' : document.body.innerText`)
      .catch(() => '');
    if (typeof text === 'string' && text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function takePicture(page: BrowserPage, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  const { data } = (await page.send('Page.captureScreenshot', { format: 'png' })) as { data: string };
  writeFileSync(join(PICTURES, `${name}.png`), Buffer.from(data, 'base64'));
}

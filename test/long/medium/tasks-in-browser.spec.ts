import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { FakeWorker } from '../../medium/ops/fake-worker';
import { type ConsoleUnderTest, startConsole } from '../../medium/console/console-under-test';

const HELD = {
  state: 'held',
  reasonCode: 'vanished',
  reason: '2 of 3 listings (66 %) would vanish; at most 20 % may',
} as const;
const FAILED = {
  state: 'failed',
  reasonCode: 'retry',
  reason: 'feeds.example.org did not answer (ETIMEDOUT)',
} as const;
const DESK = { width: 1440, height: 900 };
const MOST_CLICKS = 3;
const FAILING = 6;
const MOST_TABS = 100;
/** A browser starts slowly on a busy machine. */
const START_MS = 180_000;

// Real: the console, PostgreSQL, a browser with its keyboard. Fake: the ingestor.
(BROWSER === null ? describe.skip : describe)('an operator in a browser', () => {
  let console: ConsoleUnderTest;
  let browser: Browser;

  beforeAll(async () => {
    console = await startConsole();
    const { db } = console;
    const worker = new FakeWorker(db);
    await db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    const add = (client: string): Promise<number> =>
      db.database.gateways.add(
        {
          ...{ crm: 'kyero', client, sourceUrl: 'https://feeds.example.org/x.xml', settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.from(client.padEnd(32)), prefix: 'psr_abcd' },
      );
    const held = await add('held');
    await worker.run(held, { listings: ['A', 'B', 'C'] });
    await worker.run(held, { listings: ['A'] }, HELD);
    await worker.run(await add('by-keys'), { listings: ['A', 'B', 'C'] });
    const stale = await add('stale');
    await worker.run(stale, { listings: ['S'] });
    await db.query(`UPDATE gateway SET confirmed_at = now() - interval '3 days' WHERE id = $1`, [stale]);
    await db.query(`UPDATE gateway_schedule SET next_run_at = now() - interval '1 hour' WHERE gateway_id = $1`, [
      stale,
    ]);
    for (let index = 1; index <= FAILING; index += 1)
      await worker.run(await add(`away-${index}`), { listings: [] }, FAILED);
    await db.query(
      `UPDATE gateway_schedule SET failures = 2, failing_since = now() FROM gateway g WHERE g.id = gateway_id AND g.client LIKE 'away-%'`,
    );
    const admin = await console.signedIn('admin');
    browser = await Browser.launch();
    const first = await browser.open(`${console.url}/sign-in`, DESK);
    const value = admin.cookies.get('passerelle');
    await first.send('Network.setCookie', { name: 'passerelle', value, url: console.url });
  }, START_MS);
  afterAll(async () => {
    await browser.close();
    await console.close();
  });

  /**
   * Opens the overview and performs the steps one after the other: a click, or a text for a field. @returns the text of
   * the last page
   */
  const presses = async (steps: readonly (string | [field: string, text: string])[]): Promise<string> => {
    const page = await browser.open(`${console.url}/`, DESK);
    let text = '';
    for (const step of steps) {
      if (typeof step === 'string') text = await pressed(page, step);
      else await page.evaluate(`document.querySelector(${JSON.stringify(step[0])}).value = ${JSON.stringify(step[1])}`);
    }
    await page.send('Page.close');
    return text;
  };

  it.each<[task: string, steps: (string | [string, string])[], outcome: string]>([
    ['finds the stale agencies and the reason', ['a[href*="state=stale"]'], 'and no ingestor has queued it'],
    ['finds the failing agencies and the reason', ['a[href*="state=failing"]'], FAILED.reason],
    [
      'finds why a listing is missing',
      [['#listing', 'B'], 'form[action="/listings"] button'],
      'is held, and marks it as removed',
    ],
    [
      'discards a held run',
      ['a.next[href^="/runs/"]', ['#reason', 'they closed'], 'button[value=discard]'],
      'they closed',
    ],
    [
      'pauses a CRM',
      [
        'nav a[href="/connectors"]',
        ['#crm', 'kyero'],
        ['#pause-reason', 'they move'],
        'form[action="/connectors/pause"] button',
      ],
      'they move',
    ],
    [
      'resumes a paused CRM',
      ['nav a[href="/connectors"]', 'form[action="/connectors/resume"] button'],
      'Nothing is paused.',
    ],
    [
      'retries all failing gateways',
      ['a[href*="state=failing"]', 'button[value=retry]', 'main button[name=act]'],
      `Done for ${FAILING} gateways.`,
    ],
  ])('%s with at most three clicks', async (_task, steps, outcome) => {
    expect(steps.filter((step) => typeof step === 'string').length).toBeLessThanOrEqual(MOST_CLICKS);
    expect(await presses(steps)).toContain(outcome);
  });

  it('pauses a CRM and publishes a held run with only the keyboard', async () => {
    const held = await console.db.database.gateways.find('kyero', 'by-keys');
    await new FakeWorker(console.db).run(held!.id, { listings: ['A'] }, HELD);
    console.wait(11);
    const page = await browser.open(`${console.url}/`, DESK);
    await tabTo(page, 'nav a[href="/connectors"]');
    await follow(page, 'Enter');
    await tabTo(page, '#crm');
    // A letter selects the first option that begins with it.
    await pressKey(page, 'k');
    await tabTo(page, '#pause-reason');
    await page.send('Input.insertText', { text: 'by keys alone' });
    expect(await follow(page, 'Enter')).toContain('by keys alone');
    await tabTo(page, 'form[action="/connectors/resume"] button');
    expect(await follow(page, 'Enter')).toContain('Nothing is paused.');

    await tabTo(page, 'nav a[href="/gateways"]');
    await follow(page, 'Enter');
    await tabTo(page, '#q');
    await page.send('Input.insertText', { text: 'by-keys' });
    await follow(page, 'Enter');
    await tabTo(page, 'td a[href^="/runs/"]');
    await follow(page, 'Enter');
    await tabTo(page, '#reason');
    await page.send('Input.insertText', { text: 'they sold both' });
    await tabTo(page, 'button[value=publish]');
    const published = await follow(page, ' ');
    expect(published).toContain('they sold both');
    expect(published).toContain('published');
    expect(page.errors).toEqual([]);
  });

  it('reaches every control with only the keyboard, sees the focus, and acts', async () => {
    const page = await browser.open(`${console.url}/gateways/kyero/stale`, DESK);
    const places = Number(
      await page.evaluate(`(() => {
        const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')];
        window.places = all.filter((place) => place.checkVisibility({ contentVisibilityAuto: true }) || place.matches('.skip'));
        return window.places.length;
      })()`),
    );
    const reached = new Set<number>();
    for (let press = 0; press < places + 5; press += 1) {
      await pressKey(page, 'Tab');
      const here = (await page.evaluate(`(() => {
        const { activeElement: at } = document;
        const { outlineStyle, outlineWidth } = getComputedStyle(at);
        return { at: window.places.indexOf(at), what: at.outerHTML.slice(0, 80), isShown: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
      })()`)) as { at: number; what: string; isShown: boolean };
      if (here.at < 0) continue;
      expect(here).toMatchObject({ isShown: true });
      reached.add(here.at);
    }
    expect(reached.size).toBe(places);

    await page.evaluate(`document.querySelector('summary').focus()`);
    await pressKey(page, 'Enter');
    await pressKey(page, 'Tab');
    await page.evaluate(`document.querySelector('#pause-reason').focus()`);
    await page.send('Input.insertText', { text: 'by keyboard' });
    await page.evaluate('window.isOld = true');
    await pressKey(page, 'Enter');
    expect(await nextText(page)).toContain('by keyboard');
    expect(page.errors).toEqual([]);
  });
});

const KEYS: Readonly<Record<string, { code: number; text?: string }>> = {
  Tab: { code: 9 },
  Enter: { code: 13, text: '\r' },
  ' ': { code: 32, text: ' ' },
  k: { code: 75, text: 'k' },
};

/** Presses Tab until the element has the focus. An element that Tab does not reach is unusable with the keyboard. */
async function tabTo(page: BrowserPage, selector: string): Promise<void> {
  for (let press = 0; press < MOST_TABS; press += 1) {
    await pressKey(page, 'Tab');
    if ((await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) === true) return;
  }
  throw new Error(`${selector} was not reached by Tab`);
}

/** Presses a key that opens another page. @returns the text of that page */
async function follow(page: BrowserPage, key: string): Promise<string> {
  await page.evaluate('window.isOld = true');
  await pressKey(page, key);
  return nextText(page);
}

async function pressKey(page: BrowserPage, key: string): Promise<void> {
  const { code, text } = KEYS[key]!;
  const event = { key, code: key, windowsVirtualKeyCode: code, ...(text !== undefined && { text }) };
  await page.send('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...event });
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
}

/** Clicks an element and returns the text of the page that the click opens. */
async function pressed(page: BrowserPage, selector: string): Promise<string> {
  await page.evaluate(`window.isOld = true; document.querySelector(${JSON.stringify(selector)}).click()`);
  return nextText(page);
}

async function nextText(page: BrowserPage): Promise<string> {
  for (;;) {
    const text = await page
      .evaluate(`window.isOld || document.readyState !== 'complete' ? '' : document.body.innerText`)
      .catch(() => '');
    if (typeof text === 'string' && text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

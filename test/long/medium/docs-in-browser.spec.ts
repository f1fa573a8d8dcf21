import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';

const SIZES = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
];
/** The smallest side of what a finger is to meet. */
const TARGET_PX = 44;

// Real: a browser, the API, PostgreSQL. Fake: the ingestor.
(BROWSER === null ? describe.skip : describe)('/docs in a browser', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let browser: Browser;

  beforeAll(async () => {
    api = await startApi();
    gateway = await addGateway(api.database, { listings: [{ affId: 'a/1' }, { affId: 'b' }] });
    browser = await Browser.launch();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  /** The page with everything opened that can be opened, and every form in its place. */
  async function openEverything(size: (typeof SIZES)[number]): Promise<BrowserPage> {
    const page = await browser.open(`${api.url}/docs`, size);
    await page.evaluate(`(async () => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      const isWhole = () => document.querySelectorAll('details.try button').length === 2 * document.querySelectorAll('details.try').length;
      if (isWhole()) return;
      await new Promise((resolve) => {
        new MutationObserver((_, observer) => {
          if (isWhole()) { observer.disconnect(); resolve(); }
        }).observe(document.body, { childList: true, subtree: true });
      });
    })()`);
    return page;
  }

  describe.each(SIZES)('$width px wide', (size) => {
    let page: BrowserPage;

    beforeAll(async () => {
      page = await openEverything(size);
    });

    it('needs no scrolling to the side', async () => {
      const seen = await page.evaluate(`({
        hidden: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        tooWide: [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
          .map((element) => element.outerHTML.slice(0, 100)),
      })`);
      expect(seen).toEqual({ hidden: 0, tooWide: [] });
    });

    it('has targets that a finger meets', async () => {
      const small = await page.evaluate(`[...document.querySelectorAll('a, button, input, select, textarea, summary')]
        .filter((element) => element.checkVisibility())
        .map((element) => [element.getBoundingClientRect(), element])
        .filter(([{ width, height }]) => Math.min(width, height) < ${TARGET_PX})
        .map(([{ width, height }, element]) => width + ' x ' + height + ': ' + element.outerHTML.slice(0, 100))`);
      expect(small).toEqual([]);
    });

    it('hides nothing in a title, and leads to what is there', async () => {
      const found = await page.evaluate(`({
        titled: document.querySelectorAll('[title]').length,
        links: document.querySelectorAll('nav a').length > 20,
        dead: [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1))
          .filter((id) => document.getElementById(id) === null),
      })`);
      expect(found).toEqual({ titled: 0, links: true, dead: [] });
    });

    it('puts no error on the console', () => {
      expect(page.errors).toEqual([]);
    });
  });

  it('shows its contents beside itself where there is room, and folds them on a phone until they are wanted', async () => {
    const states: unknown[] = [];
    for (const size of [SIZES[1]!, SIZES[3]!]) {
      const page = await browser.open(`${api.url}/docs`, size);
      states.push(
        await page.evaluate(`(() => {
          const menu = document.querySelector('nav details');
          const before = menu.open;
          menu.open = true;
          menu.querySelector('a[href="#x-cache"]').click();
          const top = document.getElementById('x-cache').getBoundingClientRect().top;
          return [before, menu.open, top >= 0 && top < innerHeight, location.hash];
        })()`),
      );
    }
    expect(states).toEqual([
      [false, false, true, '#x-cache'],
      [true, true, true, '#x-cache'],
    ]);
  });

  describe('the form of a call', () => {
    /** Fills in, sends, and waits for what the form says. */
    async function send(operationId: string, values: Record<string, string>): Promise<unknown> {
      const page = await openEverything(SIZES[1]!);
      const fill = { ...gateway, ...values };
      return page.evaluate(`(async () => {
        const { crm, client, key, ...own } = ${JSON.stringify(fill)};
        for (const [id, value] of Object.entries({ crm, client, key })) document.getElementById(id).value = value;
        const form = document.querySelector('#${operationId} .form');
        for (const label of form.querySelectorAll('label')) {
          const value = own[label.firstChild.data.split(' ')[0]];
          if (value !== undefined) label.querySelector('input').value = value;
        }
        const status = form.querySelector('.status');
        const before = performance.getEntriesByType('resource').length;
        const told = new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            if (/^[0-9]|^N/.test(status.textContent)) { observer.disconnect(); resolve(); }
          });
          observer.observe(status, { childList: true });
        });
        form.querySelector('button').click();
        await told;
        const sent = performance.getEntriesByType('resource').slice(before).map(({ name }) => name.slice(location.origin.length));
        return { status: status.textContent.split(' ·')[0], sent };
      })()`);
    }

    it('sends the call with the gateway and the key', async () => {
      expect(await send('listProperties', { per_page: '1' })).toEqual({
        status: '200 OK',
        sent: [`/v1/properties?${gateway.query}&per_page=1&format=normalized`],
      });
      expect(await send('getProperty', { id: 'a/1' })).toEqual({
        status: '200 OK',
        sent: [`/v1/properties/a%2F1?${gateway.query}`],
      });
    });

    it('sends nothing without an id', async () => {
      const refused = { status: 'Nothing was sent: fill in id.', sent: [] };
      expect(await send('getProperty', { id: '' })).toEqual(refused);
      expect(await send('getHistory', { id: ' ' })).toEqual(refused);
    });
  });
});

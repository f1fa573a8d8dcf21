import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';

// Real: a browser, the API, PostgreSQL. Fake: the ingestor.
(BROWSER === null ? describe.skip : describe)('/docs in a browser', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let browser: Browser;
  let page: BrowserPage;

  /** Waits in the page until the element exists. @returns a JavaScript expression for the element */
  const element = (selector: string): string => `(await (async () => {
    for (;;) {
      const found = document.querySelector(${JSON.stringify(selector)});
      if (found !== null) return found;
      await new Promise((resolve) => {
        const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
        observer.observe(document, { childList: true, subtree: true, attributes: true });
      });
    }
  })())`;

  beforeAll(async () => {
    api = await startApi();
    gateway = await addGateway(api.database, { listings: [{ affId: 'a/1' }, { affId: 'b' }] });
    browser = await Browser.launch();
    page = await browser.open(`${api.url}/docs`, { width: 1200, height: 900 });
    await page.evaluate(`(async () => { ${element('body[data-is-ready]')}; })()`);
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  it('shows every operation of openapi.json', async () => {
    const { body } = await api.get('/openapi.json');
    const wanted = Object.values(body.paths as Record<string, object>).reduce(
      (count, methods) => count + Object.keys(methods).length,
      0,
    );
    expect(await page.evaluate(`document.querySelectorAll('.opblock').length`)).toBe(wanted);
  });

  it('sends a request with the key that the reader enters', async () => {
    const sent = await page.evaluate(`(async () => {
      const type = (input, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
      };
      ${element('.btn.authorize')}.click();
      type(${element('.auth-container input')}, ${JSON.stringify(gateway.key)});
      ${element('.auth-container .btn.authorize')}.click();
      ${element('.btn.btn-done')}.click();
      ${element('#operations-Properties-listProperties .opblock-summary-control')}.click();
      ${element('#operations-Properties-listProperties .try-out__btn')}.click();
      type(${element('tr[data-param-name="crm"] input')}, ${JSON.stringify(gateway.crm)});
      type(${element('tr[data-param-name="client"] input')}, ${JSON.stringify(gateway.client)});
      ${element('#operations-Properties-listProperties .execute')}.click();
      return ${element('.live-responses-table tbody .response-col_status')}.textContent;
    })()`);
    expect(sent).toContain('200');
  });

  it('loads nothing from another site, and follows its content security policy', async () => {
    const loaded = await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith('data:') && !name.startsWith(location.origin))`,
    );
    expect(loaded).toEqual([]);
    expect(page.errors).toEqual([]);
  });
});

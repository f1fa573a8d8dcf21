import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { frenchListings } from '../../wordpress/support/listings';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A folder for pictures of the pages, to look at them; none by default. */
const PICTURES = process.env['PAGE_PICTURES'];
const SALE = { typeTransaction: 'vente', typeCode: 'maison', prix: 300_000, prixCurrency: 'EUR' };

// Real: a browser, WordPress, the API. Fake: the ingestor.
describeWordPress('prices', () => {
  const inBrowser = BROWSER === null ? it.skip : it;
  let api: ApiUnderTest;
  let simulator: Simulator;
  let gateway: SeededGateway;
  let site: Site;
  let browser: Browser | null = null;

  beforeAll(async () => {
    [api, simulator, site] = await Promise.all([
      startApi(),
      createSimulator({ counts: { kyero: 30 } }),
      createSite({ locale: 'fr_FR' }),
    ]);
    const listings = frenchListings(simulator).map((listing, at) => ({
      ...listing,
      ...{ affId: `P${at}`, prix: undefined, loyer: undefined, prixCurrency: 'EUR' },
      ...(at % 3 === 0
        ? { typeTransaction: 'location' as const, loyer: 500 + at * 40 }
        : { typeTransaction: 'vente' as const, prix: 120_000 + at * 13_000 }),
    }));
    gateway = await addGateway(api.database, {
      crm: 'kyero',
      listings: JSON.parse(JSON.stringify(listings)) as typeof listings,
    });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    expect(await site.slice()).toMatchObject({ state: 'done', added: 30 });
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
    if (BROWSER !== null) browser = await Browser.launch();
  });
  afterAll(async () => {
    await browser?.close();
    await simulator.close();
    await Promise.all([api.close(), site.close()]);
  });

  async function picture(page: BrowserPage, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    const { data } = (await page.send('Page.captureScreenshot')) as { data: string };
    writeFileSync(join(PICTURES, `${name}.png`), data, 'base64');
  }

  /** Sends the settings' form, with valid other fields. @returns whether it was saved, and the answer */
  const save = (fields: Record<string, string>): Promise<[boolean, string]> =>
    site.php(`$_POST = json_decode(base64_decode('${Buffer.from(JSON.stringify(fields)).toString('base64')}'), true);
      return Closure::bind(function () { return self::settings(); }, null, 'Passerelle\\WordPress\\Admin')();`);
  const estimate = (listing: object): Promise<string> =>
    site.php(
      `return Passerelle\\WordPress\\Mortgage::html(json_decode(base64_decode('${Buffer.from(JSON.stringify(listing)).toString('base64')}'), true));`,
    );

  it('have no loan estimate until the owner enters a rate and a term', async () => {
    expect(await estimate(SALE)).toBe('');
    for (const fields of [
      { mortgage_rate: '3.5', mortgage_years: '' },
      { mortgage_rate: '', mortgage_years: '20' },
      { mortgage_rate: '26', mortgage_years: '20' },
      { mortgage_rate: '0', mortgage_years: '20' },
      { mortgage_rate: '3.5', mortgage_years: '41' },
      { mortgage_rate: 'low', mortgage_years: '20' },
    ])
      expect(await save(fields)).toEqual([false, expect.stringContaining('25\u00a0%')]);
    expect(await estimate(SALE)).toBe('');
    expect(await save({ mortgage_rate: '3,5 %', mortgage_years: '20' })).toEqual([true, expect.any(String)]);
    expect(await estimate(SALE)).toContain(
      'environ 1\u00a0740\u00a0€ par mois pendant 20 ans au taux annuel de 3,5\u00a0%',
    );
  });

  it.each([
    [3.5, 20, 300_000],
    [0.9, 7, 85_000],
    [11.25, 30, 1_250_000],
  ])('estimate payments that pay off a loan at %d %% in %d years', async (rate, years, price) => {
    await save({ mortgage_rate: String(rate), mortgage_years: String(years) });
    const [, payment = ''] = /environ ([\d\u00a0]+)\u00a0€/.exec(await estimate({ ...SALE, prix: price })) ?? [];
    let owed = price;
    for (let month = 0; month < years * 12; month += 1)
      owed = owed * (1 + rate / 1200) - Number(payment.replaceAll('\u00a0', ''));
    // The payment is rounded to a euro, so the rest is at most a euro per month with interest.
    expect(Math.abs(owed)).toBeLessThan(years * 12 * (1 + rate / 100) ** years);
  });

  it.each([
    ['a rental', { typeTransaction: 'location', loyer: 900 }],
    ['a price on request', { prixSurDemande: true }],
    ['no price', { prix: null }],
    ['an unknown currency', { prixCurrency: null }],
    ['a sold property', { statut: 'vendu' }],
    ['a share of the property', { partAchetee: 40 }],
    ['a life annuity', { typeTransaction: 'viager', bouquet: 50_000 }],
  ])('have no loan estimate for %s', async (_, change) => {
    await save({ mortgage_rate: '3.5', mortgage_years: '20' });
    expect(await estimate({ ...SALE, ...change })).toBe('');
  });

  inBrowser('show the loan estimate below the price, as a note', async () => {
    await save({ mortgage_rate: '3.5', mortgage_years: '20' });
    const address = await site.php<string>(
      `return get_permalink((int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'P1')['post_id']);`,
    );
    for (const size of [PHONE, WIDE]) {
      const page = await browser!.open(address, size);
      await picture(page, `estimate-${size.width}`);
      expect(await page.evaluate(`document.querySelector('.psr-head .psr-mortgage').innerText`)).toMatch(
        /^Estimation : environ 771\s€ par mois .* n’est pas une offre de crédit\.$/,
      );
    }
  });

  const SLIDER = `(() => {
    const ends = [...document.querySelectorAll('.psr-range input')];
    const fields = ['prix_min', 'prix_max'].map((name) => document.querySelector('[name=' + name + ']').value);
    return { words: ends.map((end) => end.getAttribute('aria-valuetext').replace(/\\s/g, ' ')), fields };
  })()`;
  const move = (page: BrowserPage, end: number, to: number): Promise<unknown> =>
    page.evaluate(`(() => {
      const end = document.querySelectorAll('.psr-range input')[${end}];
      end.value = ${to} < 0 ? Number(end.max) + ${to} : ${to};
      end.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);

  inBrowser('have a slider that changes the two fields, by keyboard too', async () => {
    const page = await browser!.open(`${site.url}/annonces/?offre=vente`, WIDE);
    expect(await page.evaluate(SLIDER)).toEqual({ words: ['Indifférent', 'Indifférent'], fields: ['', ''] });
    await page.evaluate(`document.querySelector('.psr-range input').focus()`);
    for (const type of ['rawKeyDown', 'keyUp'])
      await page.send('Input.dispatchKeyEvent', { type, key: 'ArrowRight', windowsVirtualKeyCode: 39 });
    expect(await page.evaluate(SLIDER)).toEqual({ words: ['150 000 €', 'Indifférent'], fields: ['150000', ''] });
    await move(page, 1, -1);
    expect(await page.evaluate(SLIDER)).toEqual({ words: ['150 000 €', '400 000 €'], fields: ['150000', '400000'] });
    await picture(page, 'slider-1440');
    // One end cannot pass the other.
    await move(page, 0, 99);
    expect(await page.evaluate(SLIDER)).toEqual({ words: ['400 000 €', '400 000 €'], fields: ['400000', '400000'] });
    await move(page, 0, 0);
    await page.evaluate(`document.querySelector('[name=prix_max]').value = '250 000'`);
    await page.evaluate(
      `document.querySelector('[name=prix_max]').dispatchEvent(new Event('change', { bubbles: true }))`,
    );
    expect(await page.evaluate(SLIDER)).toEqual({ words: ['Indifférent', '250 000 €'], fields: ['', '250 000'] });
    expect(page.errors).toEqual([]);
  });

  inBrowser('have a slider with the steps of the chosen offer', async () => {
    const page = await browser!.open(`${site.url}/annonces/`, WIDE);
    await page.evaluate(`document.querySelector('[name=offre]').value = 'location'`);
    await page.evaluate(`document.querySelector('[name=offre]').dispatchEvent(new Event('change', { bubbles: true }))`);
    await move(page, 0, 1);
    expect(await page.evaluate(SLIDER)).toEqual({ words: ['600 €', 'Indifférent'], fields: ['600', ''] });
  });

  inBrowser('have handles large enough for a finger, on a phone', async () => {
    const page = await browser!.open(`${site.url}/annonces/?offre=vente&prix_min=200000&prix_max=300000`, PHONE);
    await page.evaluate(`document.querySelector('.psr-opens input').click()`);
    const seen = await page.evaluate(`(() => {
      document.querySelector('.psr-slider').scrollIntoView({ block: 'center' });
      const { left, right, top, height } = document.querySelector('.psr-range').getBoundingClientRect();
      const ends = document.querySelectorAll('.psr-range input');
      // The handle of each end takes the click at its own place.
      const hit = (end) => {
        const share = Number(end.value) / Number(end.max);
        return document.elementFromPoint(left + 22 + share * (right - left - 44), top + height / 2) === end;
      };
      return { height, hits: [...ends].map(hit), wide: document.documentElement.scrollWidth - innerWidth };
    })()`);
    expect(seen).toEqual({ height: 44, hits: [true, true], wide: 0 });
    await picture(page, 'slider-390');
  });

  inBrowser('have the two fields, and no slider, without scripts', async () => {
    const page = await browser!.open(`${site.url}/annonces/?offre=vente&prix_min=200000`, WIDE, ({ send }) =>
      send('Emulation.setScriptExecutionDisabled', { value: true }),
    );
    expect(
      await page.evaluate(
        `[document.querySelector('.psr-slider').checkVisibility(), document.querySelector('[name=prix_min]').value]`,
      ),
    ).toEqual([false, '200000']);
    await picture(page, 'no-scripts-1440');
  });
});

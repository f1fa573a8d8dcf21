import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { eventually } from '../../support/waiting';
import { frenchListings } from '../../wordpress/support/listings';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const MOST_PHOTOS = 12;
/** A folder for pictures of the pages, to look at them; none by default. */
const PICTURES = process.env['PAGE_PICTURES'];

// Real: a browser, WordPress, the API. Fake: the ingestor.
describeWordPress('the page of a listing', () => {
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
    const all = frenchListings(simulator);
    const photos = all.flatMap((listing) => listing.photos ?? []);
    const listings = all.slice(0, MOST_PHOTOS).map((listing, at) => ({
      ...listing,
      ...{ affId: `P${at + 1}`, affNum: `REF${at + 1}`, intitule: `Appartement à ${at + 1} photos`, ville: 'Brive' },
      ...{ typeTransaction: 'vente' as const, typeCode: 'appartement' as const, prix: 200_000 + at * 1000 },
      ...{ loyer: undefined, prixAncien: 260_000, exclusivite: true },
      photos: photos
        .slice(0, at + 1)
        .map((photo, place) => ({ ...photo, legende: place === 1 ? 'Le séjour' : undefined })),
      plans: [{ url: photos[20]!.url, titre: 'Plan du rez-de-chaussée', empreinte: 'p' }],
      ...{ video: 'https://films.example/visite', visiteVirtuelle: undefined },
    }));
    gateway = await addGateway(api.database, {
      crm: 'kyero',
      listings: JSON.parse(JSON.stringify(listings)) as typeof listings,
    });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    expect(await site.slice()).toMatchObject({ state: 'done', added: MOST_PHOTOS });
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
    if (BROWSER !== null) browser = await Browser.launch();
  });
  afterAll(async () => {
    await browser?.close();
    await simulator.close();
    await Promise.all([api.close(), site.close()]);
  });

  const addressOf = (affId: string): Promise<string> =>
    site.php<string>(
      `return get_permalink((int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', '${affId}')['post_id']);`,
    );
  async function open(photos: number, size = WIDE): Promise<BrowserPage> {
    const page = await browser!.open(await addressOf(`P${photos}`), size);
    await picture(page, `${photos}-photos-${size.width}`);
    return page;
  }
  async function picture(page: BrowserPage, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    const { data } = (await page.send('Page.captureScreenshot', {
      captureBeyondViewport: !name.includes('viewer'),
    })) as {
      data: string;
    };
    writeFileSync(join(PICTURES, `${name}.png`), data, 'base64');
  }

  inBrowser('shows any number of photos without a hole in the grid', async () => {
    for (const photos of Array.from({ length: MOST_PHOTOS }, (_, at) => at + 1)) {
      const page = await open(photos);
      const holes = await page.evaluate(`(() => {
        const grid = document.querySelector('.psr-gallery');
        const rows = Map.groupBy([...grid.children].map((one) => one.getBoundingClientRect()), ({ top }) => Math.round(top));
        const whole = grid.getBoundingClientRect();
        return [...rows.values()].map((row) => whole.right - row.at(-1).right + row[0].left - whole.left).filter((gap) => gap > 1);
      })()`);
      const shown = await page.evaluate(`document.querySelectorAll('.psr-gallery li').length`);
      expect({ photos, holes, shown }).toEqual({ photos, holes: [], shown: photos });
    }
  });

  inBrowser('shows photos, plans and the video on the whole screen, by keyboard and by swiping', async () => {
    const page = await open(12);
    const state = async (): Promise<unknown> =>
      page.evaluate(`(() => {
        const viewer = document.querySelector('.psr-viewer');
        const at = viewer === null ? -1 : Math.round(viewer.querySelector('.psr-slides').scrollLeft / innerWidth);
        const slide = viewer?.querySelectorAll('figure')[at];
        return { isOpen: viewer?.open ?? false, position: viewer?.querySelector('.psr-position').textContent, caption: slide?.querySelector('figcaption')?.textContent ?? null };
      })()`);
    const becomes = async (expected: object): Promise<void> => {
      let last: unknown;
      await eventually(async () => {
        last = await state();
        return JSON.stringify(last) === JSON.stringify(expected) || undefined;
      }).catch(() => {
        expect(last).toEqual(expected);
      });
    };
    const press = (key: string): Promise<unknown> =>
      page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`,
      );
    await page.evaluate(`document.querySelectorAll('.psr-gallery a')[0].focus()`);
    await page.evaluate(`document.querySelectorAll('.psr-gallery a')[0].click()`);
    await becomes({ isOpen: true, position: '1 sur 14', caption: null });
    expect(await page.evaluate(`document.querySelectorAll('.psr-viewer img[src]').length`)).toBe(2);
    await press('ArrowRight');
    await becomes({ isOpen: true, position: '2 sur 14', caption: 'Le séjour' });
    await picture(page, 'viewer');
    await page.evaluate(
      `document.querySelector('.psr-slides').scrollTo({ left: 12 * innerWidth, behavior: 'instant' })`,
    );
    await becomes({ isOpen: true, position: '13 sur 14', caption: 'Plan du rez-de-chaussée' });
    await press('End');
    await becomes({ isOpen: true, position: '14 sur 14', caption: null });
    expect(await page.evaluate(`document.querySelector('.psr-viewer .psr-button').href`)).toBe(
      'https://films.example/visite',
    );
    await page.evaluate(`document.querySelector('.psr-viewer-close').click()`);
    expect(await state()).toMatchObject({ isOpen: false });
    expect(await page.evaluate(`document.activeElement.matches('.psr-gallery a')`)).toBe(true);
    expect(page.errors).toEqual([]);
  });

  inBrowser('leads back to a list whose form is one line on a phone', async () => {
    const phone = await browser!.open(`${site.url}/annonces/`, PHONE);
    await picture(phone, 'list-390');
    const height = `Math.round(document.querySelector('.psr-filters').getBoundingClientRect().height)`;
    const closed = await phone.evaluate(height);
    expect(closed).toBeLessThan(100);
    await phone.evaluate(`document.querySelector('.psr-opens input').click()`);
    expect(await phone.evaluate(height)).toBeGreaterThan(Number(closed) * 3);
    const wide = await browser!.open(`${site.url}/annonces/?chambres_min=1&ville[]=Brive`, WIDE);
    expect(await wide.evaluate(`document.querySelector('.psr-opens').checkVisibility()`)).toBe(false);
    await wide.evaluate(`document.querySelector('.psr-choice').open = true`);
    await picture(wide, 'list-1440');
  });

  inBrowser('has badges, a trail, similar listings, dates for a visit, and a call bar on a phone', async () => {
    const page = await open(5, PHONE);
    const seen = await page.evaluate(`(() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map(({ innerText }) => innerText.trim());
      const bar = document.querySelector('.psr-callbar').getBoundingClientRect();
      return {
        badges: texts('.psr-head .psr-badge'), trail: texts('.psr-trail li'), similar: texts('.psr-similar .psr-title'),
        dates: document.querySelectorAll('.psr-visits input[type=date]').length,
        bar: [texts('.psr-callbar a'), bar.bottom <= innerHeight + 1, bar.height >= 44],
        schema: [...document.querySelectorAll('script[type="application/ld+json"]')].map(({ text }) => JSON.parse(text)['@type']),
      };
    })()`);
    expect(seen).toEqual({
      badges: ['Prix en baisse', 'Exclusivité'],
      trail: ['Accueil', 'Tous les biens', 'Vente', 'Brive', 'Appartement à 5 photos'],
      similar: ['Appartement à 4 photos', 'Appartement à 6 photos', 'Appartement à 3 photos'],
      ...{ dates: 3, bar: [['Appeler', 'Écrire'], true, true] },
      schema: expect.arrayContaining(['RealEstateListing', 'BreadcrumbList']) as unknown,
    });
  });
});

import type { Listing } from '@passerelle/domain';
import { createReadApi } from '../../../tools/demo/read-api';
import { type DemoServer, startDemoServer } from '../../../tools/demo/server';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** The minimum height and width of a touch target. */
const TARGET_PX = 44;

// Real: a browser, the pages of the demo, the API, PostgreSQL, the simulator's photos. Fake: the ingestor.
(BROWSER === null ? describe.skip : describe)('/demo in a browser', () => {
  let api: ApiUnderTest;
  let simulator: Simulator;
  let gateway: SeededGateway;
  let demo: DemoServer;
  let browser: Browser;

  beforeAll(async () => {
    [api, simulator] = await Promise.all([startApi(), createSimulator({ counts: { kyero: 30 } })]);
    gateway = await addGateway(api.database, { crm: 'kyero', listings: listingsOf(simulator) });
    demo = await startDemoServer({
      ports: [0],
      gateways: [gateway],
      api: createReadApi(api.url),
      places: { media: `${api.url}/media/`, elsewhere: [`http://${simulator.host}/kyero/photos/`] },
      docsUrl: `${api.url}/docs`,
      consoleUrl: `${api.url}/console`,
    });
    browser = await Browser.launch();
  });
  afterAll(async () => {
    await browser.close();
    await demo.close();
    await simulator.close();
    await api.close();
  });

  const open = (path: string, size = SIZES[0]!): Promise<BrowserPage> =>
    browser.open(`http://127.0.0.1:${demo.port}${path}`, size);

  /** Waits for every photo, also for photos that load lazily. @returns the addresses of photos that did not load */
  const loadPhotos = (page: BrowserPage): Promise<unknown> =>
    page.evaluate(`(async () => {
      const photos = [...document.images];
      for (const photo of photos) photo.loading = 'eager';
      await Promise.all(photos.map((photo) => photo.decode().catch(() => undefined)));
      return photos.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src);
    })()`);

  const places = ['/demo', '/demo/kyero', '/demo/kyero?typeCode=maison', '/demo/kyero/1001', '/demo/nothing'];

  describe.each(SIZES)('$width px wide', (size) => {
    it.each(places)('shows %s completely, with targets that are large enough for a finger', async (path) => {
      const page = await open(path, size);
      const broken = await loadPhotos(page);
      const seen = await page.evaluate(`({
        hidden: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        small: [...document.querySelectorAll('a, button, input, select, summary')]
          .filter((element) => element.checkVisibility() && !element.matches('.skip'))
          .map((element) => [element.getBoundingClientRect(), element])
          .filter(([{ width, height }]) => Math.min(width, height) < ${TARGET_PX})
          .map(([{ width, height }, element]) => width + ' x ' + height + ': ' + element.outerHTML.slice(0, 100)),
        unnamed: [...document.images].filter(({ alt, width, height }) => alt === '' || width === 0 || height === 0).length,
        style: getComputedStyle(document.body).margin,
      })`);

      expect({ broken, seen }).toEqual({ broken: [], seen: { hidden: 0, small: [], unnamed: 0, style: '0px' } });
      // The browser reports the missing page as an error.
      expect(page.errors).toEqual(path === '/demo/nothing' ? [expect.stringContaining('404')] : []);
    });
  });

  it('shows a filtered list, and from there a listing with its photos', async () => {
    const page = await open('/demo/kyero');
    const action = await page.evaluate(`(() => {
      const form = document.querySelector('form');
      form.elements.typeCode.value = 'maison';
      return form.action + '?' + new URLSearchParams(new FormData(form));
    })()`);
    const filtered = await open(String(action).replace(/^http:\/\/[^/]+/, ''));
    const link = await filtered.evaluate(`document.querySelector('.card a').getAttribute('href')`);
    const listing = await open(String(link));

    expect(await filtered.evaluate(`document.querySelector('select[name=typeCode]').value`)).toBe('maison');
    expect(await listing.evaluate(`document.querySelector('.kind').textContent.includes('Maison')`)).toBe(true);
    expect(await listing.evaluate(`document.images.length > 1`)).toBe(true);
  });

  it('loads only from its own site and from the host of the photos, and loads no script', async () => {
    const page = await open('/demo/kyero/1001');
    await loadPhotos(page);
    const origins = await page.evaluate(
      `[...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).host))].sort()`,
    );

    expect(origins).toEqual([`127.0.0.1:${demo.port}`, simulator.host].sort());
    expect(await page.evaluate(`document.scripts.length`)).toBe(0);
  });
});

function listingsOf(simulator: Simulator): (Partial<Listing> & { affId: string })[] {
  return simulator.portfolios.kyero.properties.map((property) => ({
    affId: String(property.id),
    affNum: property.reference,
    intitule: property.title,
    commentaires: property.text.join('\n'),
    typeTransaction: property.offer,
    typeCode: property.kind,
    ville: property.town.name,
    codePostal: property.town.postcode,
    ...(property.price !== null && { prix: property.price }),
    ...(property.energy !== null && {
      energie: [{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: property.energy.classe }],
    }),
    honoraires: 4,
    honorairesUnite: 'pourcentage',
    negoEmail: property.negotiator.email,
    visiteVirtuelle: 'https://tour.example/1',
    photos: simulator.photoUrls('kyero', property).map((url) => ({ url, empreinte: 'e' })),
  }));
}

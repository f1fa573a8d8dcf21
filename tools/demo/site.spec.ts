import type { Listing } from '@passerelle/domain';
import { ApiFailure, type Feed, type ReadApi, type DemoGateway } from './read-api';
import { Site, type SiteAnswer } from './site';

const GATEWAY: DemoGateway = { crm: 'kyero', client: 'demo', key: 'the-key-of-kyero' };
const OTHER: DemoGateway = { crm: 'apimo', client: 'demo', key: 'the-key-of-apimo' };
const PLACES = { media: 'http://api.example/media/', elsewhere: ['http://crm.example/kyero/photos/'] };
const FRESH: Feed = {
  state: 'fresh',
  since: '2026-01-02T10:00:00.000Z',
  reason: null,
  snapshot: 'token',
  confirmed_at: '2026-01-02T10:00:00.000Z',
  published_at: '2026-01-01T09:00:00.000Z',
  next_run_at: '2026-01-02T11:00:00.000Z',
};
const URLS = { docsUrl: 'http://api.example/docs', consoleUrl: 'http://console.example' };
const FACETS = { typeCode: [{ value: 'maison', count: 30 }] };
const HOSTILE = `"><script>alert('x')</script><b a='&amp;`;

const aListing = (fields: Partial<Listing> = {}): Listing => ({
  affId: '1',
  passerelleName: 'kyero',
  photos: [],
  ...fields,
});

describe('demo site', () => {
  const siteWith = (listings: readonly Listing[], feed: Feed = FRESH): Site => {
    const api: ReadApi = {
      feed: () => Promise.resolve(feed),
      search: () => Promise.resolve({ data: listings, meta: { total: 30, page: 1, total_pages: 2 }, facets: FACETS }),
      listing: (_, id) => {
        const found = listings.find(({ affId }) => affId === id);
        return found === undefined ? Promise.reject(new ApiFailure(404, '404')) : Promise.resolve(found);
      },
    };
    return new Site({ gateways: [GATEWAY, OTHER], api, places: PLACES, ...URLS });
  };
  const ask = (path: string, listings: readonly Listing[], feed?: Feed): Promise<SiteAnswer> =>
    siteWith(listings, feed).answer(new URL(path, 'http://demo'));
  const show = async (path: string, listings: readonly Listing[], feed?: Feed): Promise<string> => {
    const { status, body } = await ask(path, listings, feed);
    expect(status).toBe(200);
    return body.replace(/\s+/g, ' ');
  };

  describe('with a hostile feed', () => {
    const photo = { url: `http://crm.example/kyero/photos/${HOSTILE}`, legende: HOSTILE, empreinte: HOSTILE };
    const words = ['affNum', 'intitule', 'commentaires', 'prixCurrency', 'ville', 'codePostal'];
    const more = ['agenceNom', 'agenceTel', 'mandatNum'];
    const hostile = aListing({
      affId: HOSTILE,
      prix: 1,
      photos: [photo, photo],
      mentions: [{ code: HOSTILE, pays: 'FR', langue: HOSTILE, texte: HOSTILE, source: HOSTILE }],
      ...Object.fromEntries([...words, ...more].map((name) => [name, HOSTILE])),
    });
    const feed: Feed = { ...FRESH, state: 'failing', since: HOSTILE, reason: { code: HOSTILE, message: HOSTILE } };

    it.each([
      '/demo',
      '/demo/kyero',
      `/demo/kyero?ville=${encodeURIComponent(HOSTILE)}`,
      `/demo/kyero/${encodeURIComponent(HOSTILE)}`,
    ])("escapes the feed's markup in %s", async (path) => {
      const page = await show(path, [hostile], feed);
      expect(page).not.toMatch(/<script|<b a=|alert\('x'\)/);
      expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&lt;b a=&#39;&amp;amp;');
    });
  });

  it('sends a policy that allows its own style and the photos, but no script', async () => {
    const { headers } = await ask('/demo', []);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src http://api.example/media/ http://crm.example/kyero/photos/; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  it('sends no key to a browser, and has no styles or scripts inside pages', async () => {
    for (const path of ['/demo', '/demo/kyero', '/demo/kyero/1', '/demo/nothing', '/demo/style.css']) {
      const { body } = await ask(path, [aListing()]);
      expect(body).not.toMatch(/the-key-of|<script|<style| style=| on\w+=/);
    }
  });

  it('shows the photo in a suitable size, the price, the town and the energy class on a card', async () => {
    const page = await show('/demo/kyero', [
      aListing({
        intitule: 'Une maison',
        prix: 250_000,
        ville: 'Villedemo',
        codePostal: '01340',
        energie: [{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: 'C' }],
        photos: [{ url: 'http://api.example/media/abc.jpg', empreinte: '1', largeur: 900, hauteur: 700 }],
      }),
    ]);
    expect(page).toContain('src="http://api.example/media/abc.jpg?w=640"');
    expect(page).toMatch(/alt="Photo 1 : Une maison" width="900" height="700" loading="lazy"/);
    expect(page).toMatch(/250\s000\s€/);
    expect(page).toContain('01340 Villedemo');
    expect(page).toContain('<span class="badge">Énergie C</span>');
    expect(page).toContain('href="/demo/kyero/1"');
  });

  it('shows all photos of a listing, the legally required information, and the API call', async () => {
    const listing = aListing({
      prix: 300_000,
      honoraires: 5,
      honorairesUnite: 'pourcentage',
      honorairesCharge: 'acquereur',
      prixHorsHonoraires: 285_000,
      copropriete: true,
      coproLots: 12,
      coproCharges: 840,
      coproProcedure: false,
      energie: [{ pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: 'D' }],
      mentions: [{ code: 'c', pays: 'FR', langue: 'fr', texte: 'Les risques …', source: 'Code de l’environnement' }],
      photos: [1, 2, 3].map((number) => ({ url: `http://crm.example/kyero/photos/${number}.jpg`, empreinte: '1' })),
    });
    const page = await show('/demo/kyero/1', [listing]);

    expect([...page.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, src]) => src)).toEqual(
      listing.photos.map(({ url }) => url),
    );
    for (const [name, value] of [
      ['Honoraires', '5 % TTC à la charge de l’acquéreur'],
      ['Bien en copropriété', 'Oui'],
      ['Lots de copropriété', '12'],
      ['Procédure en cours', 'Non'],
    ]) {
      expect(page).toMatch(new RegExp(`<dt>${name}</dt>\\s*<dd>${value}</dd>`));
    }
    expect(page).toMatch(/Prix hors honoraires<\/dt>\s*<dd>285\s000\s€/);
    expect(page).toContain('aria-label="Énergie : D"');
    expect(page).toMatch(/<p lang="fr" title="Code de l’environnement">\s*Les risques …/);
    expect(page).toContain('GET /v1/properties/1?crm=kyero&amp;client=demo');
  });

  it('shows a rent for the period in the source, not the monthly equivalent', async () => {
    const weekly = aListing({
      typeTransaction: 'location',
      loyer: 9403.33,
      loyerSource: { montant: 2170, periode: 'semaine' },
    });
    for (const path of ['/demo/kyero', '/demo/kyero/1']) {
      const page = (await show(path, [weekly])).replace(/<pre.*/, '');
      expect(page).toMatch(/2\s170\s€ \/ semaine/);
      expect(page).not.toMatch(/9\s403|par mois|\/ mois/);
    }
    expect(await show('/demo/kyero/1', [aListing({ loyer: 900 })])).toMatch(/900\s€ \/ mois/);
  });

  it.each([
    ['stale', 'Flux non confirmé'],
    ['held', 'Mise à jour retenue'],
    ['failing', 'Flux en panne'],
    ['never', 'Jamais importé'],
  ] as const)('states that the feed is %s, and why', async (state, words) => {
    const feed: Feed = { ...FRESH, state, reason: { code: 'retry', message: 'The source did not answer.' } };
    for (const path of ['/demo', '/demo/kyero', '/demo/kyero/1']) {
      const page = await show(path, [aListing()], feed);
      expect(page).toContain(words);
      expect(page).toContain('The source did not answer.');
    }
  });

  it('keeps the filter in the link to the next page', async () => {
    const page = await show('/demo/kyero?typeCode=maison&page=1', [aListing()]);
    expect(page).toContain('30 annonces, page 1 sur 2');
    expect(page).toMatch(/<option value="maison"\s+selected\s*>\s*Maison \(30\)\s*<\/option>/);
    expect(page).toContain('href="/demo/kyero?typeCode=maison&amp;page=2"');
  });

  it('shows no listings and does not search before the first publication', async () => {
    const page = await show('/demo/kyero', [aListing()], { ...FRESH, state: 'never', snapshot: null });
    expect(page).toMatch(/Jamais importé.*Aucune annonce/);
  });

  it('links to the API documentation and to the console on every page', async () => {
    for (const path of ['/demo', '/demo/kyero/1', '/demo/nothing']) {
      const { body } = await ask(path, [aListing()]);
      expect([body.includes(`href="${URLS.docsUrl}"`), body.includes(`href="${URLS.consoleUrl}"`)]).toEqual([
        true,
        true,
      ]);
    }
  });

  it.each(['/demo/none', '/demo/kyero/none', '/demo/kyero/1/2', '/other', '/demo/%E0%A4%A', '/demo/__proto__'])(
    'answers 404 at %s',
    async (path) => {
      expect((await ask(path, [aListing()])).status).toBe(404);
    },
  );

  it('redirects from the root to its first page', async () => {
    expect(await ask('/', [])).toMatchObject({ status: 302, headers: { location: '/demo' } });
  });

  it('reports a failure of the API without internal details', async () => {
    const failing = (error: Error): Site => {
      const fail = (): Promise<never> => Promise.reject(error);
      const api: ReadApi = { feed: fail, search: fail, listing: fail };
      return new Site({ gateways: [GATEWAY], api, places: PLACES, ...URLS });
    };
    const url = new URL('/demo', 'http://demo');
    const refused = await failing(new ApiFailure(401, '401 AUTH_FAILED: <key>')).answer(url);
    const broken = await failing(new Error('inside')).answer(url);
    const filter = await failing(new ApiFailure(400, '400 VALIDATION_ERROR')).answer(url);

    expect([refused.status, broken.status, filter.status]).toEqual([502, 502, 400]);
    expect(refused.body).toContain('401 AUTH_FAILED: &lt;key&gt;');
    expect(broken.body).not.toContain('inside');
  });
});

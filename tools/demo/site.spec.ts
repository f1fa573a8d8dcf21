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
  total: 1,
  confirmed_at: '2026-01-02T10:00:00.000Z',
  published_at: '2026-01-01T09:00:00.000Z',
  next_run_at: '2026-01-02T11:00:00.000Z',
};
const HOSTILE = `"><script>alert('x')</script><b a='&amp;`;

const aListing = (fields: Partial<Listing> = {}): Listing => ({
  affId: '1',
  passerelleName: 'kyero',
  photos: [],
  ...fields,
});

describe('the demo', () => {
  const siteWith = (listings: readonly Listing[], feed: Feed = FRESH): Site => {
    const api: ReadApi = {
      feed: () => Promise.resolve(feed),
      portfolio: (gateway) => Promise.resolve({ gateway, feed, listings }),
      listing: (_, id) => Promise.resolve(listings.find(({ affId }) => affId === id) ?? null),
    };
    return new Site({ gateways: [GATEWAY, OTHER], api, places: PLACES, docsUrl: 'http://api.example/docs' });
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
    const words = ['affNum', 'intitule', 'commentaires', 'prixCurrency', 'ville', 'codePostal', 'quartier', 'adresse'];
    const more = ['agenceNom', 'negoNom', 'negoEmail', 'negoTel', 'mandatNum', 'mandatType', 'chargesModalite'];
    const papers = [
      'dpeClasse',
      'gesClasse',
      'dpeDate',
      'dpeVersion',
      'dateCreation',
      'visiteVirtuelle',
      'honorairesBareme',
    ];
    const hostile = aListing({
      affId: HOSTILE,
      prix: 1,
      photos: [photo, photo],
      ...Object.fromEntries([...words, ...more, ...papers].map((name) => [name, HOSTILE])),
    });
    const feed: Feed = { ...FRESH, state: 'failing', since: HOSTILE, reason: { code: HOSTILE, message: HOSTILE } };

    it.each([
      '/demo',
      '/demo/kyero',
      `/demo/kyero?ville=${encodeURIComponent(HOSTILE)}`,
      `/demo/kyero/${encodeURIComponent(HOSTILE)}`,
    ])('lets no markup of it into %s', async (path) => {
      const page = await show(path, [hostile], feed);
      expect(page).not.toMatch(/<script|<b a=|alert\('x'\)/);
      expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&lt;b a=&#39;&amp;amp;');
    });

    it('follows no address that is not of the web', async () => {
      const page = await show('/demo/kyero/1', [
        aListing({ video: 'javascript:alert(1)', visiteVirtuelle: 'https://tour.example/1' }),
      ]);
      expect(page).not.toContain('href="javascript');
      expect(page).toContain('href="https://tour.example/1"');
    });
  });

  it('has a policy that lets in its own style and the photos, and no script', async () => {
    const { headers } = await ask('/demo', []);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src http://api.example/media/ http://crm.example/kyero/photos/; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  it('sends no key to a browser, and neither styles nor scripts within a page', async () => {
    for (const path of ['/demo', '/demo/kyero', '/demo/kyero/1', '/demo/nothing', '/demo/style.css']) {
      const { body } = await ask(path, [aListing()]);
      expect(body).not.toMatch(/the-key-of|<script|<style| style=| on\w+=/);
    }
  });

  it('shows in a card the photo at a size that suits, the price, the place and the energy class', async () => {
    const page = await show('/demo/kyero', [
      aListing({
        intitule: 'Une maison',
        prix: 250_000,
        ville: 'Villedemo',
        codePostal: '01340',
        dpeClasse: 'C',
        photos: [{ url: 'http://api.example/media/abc.jpg', empreinte: '1', largeur: 900, hauteur: 700 }],
      }),
    ]);
    expect(page).toContain('src="http://api.example/media/abc.jpg?w=640"');
    expect(page).toMatch(/alt="Photo principale : Une maison" width="900" height="700" loading="lazy"/);
    expect(page).toMatch(/250\s000\s€/);
    expect(page).toContain('01340 Villedemo');
    expect(page).toContain('<span class="badge dpe dpe-C">DPE C</span>');
    expect(page).toContain('href="/demo/kyero/1"');
  });

  it('shows of a listing all photos, what the law asks for, and its JSON', async () => {
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
      dpeClasse: 'D',
      dpeValeur: 200,
      gesClasse: 'B',
      photos: [1, 2, 3].map((number) => ({ url: `http://crm.example/kyero/photos/${number}.jpg`, empreinte: '1' })),
    });
    const page = await show('/demo/kyero/1', [listing]);

    expect([...page.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, src]) => src)).toEqual(
      listing.photos.map(({ url }) => url),
    );
    for (const [name, value] of [
      ['Honoraires', '5 % TTC à la charge de l’acquéreur'],
      ['Bien en copropriété', 'Oui'],
      ['Lots', '12'],
      ['Procédure en cours', 'Non'],
    ]) {
      expect(page).toMatch(new RegExp(`<dt>${name}</dt>\\s*<dd>${value}</dd>`));
    }
    expect(page).toMatch(/Prix hors honoraires<\/dt>\s*<dd>285\s000\s€/);
    expect(page).toMatch(/aria-label="[^"]*Énergie: D[,"]/);
    expect(page).toMatch(/aria-label="[^"]*Climat \(GES\): B[,"]/);
    expect(page).toContain('<b>&quot;coproLots&quot;</b>: 12,');
    expect(page).toContain('GET /v1/properties/1?crm=kyero&amp;client=demo');
  });

  it('shows a rent as the source says it, and not what it would be by the month', async () => {
    const weekly = aListing({
      typeTransaction: 'location',
      loyer: 9403.33,
      loyerSource: { montant: 2170, periode: 'semaine' },
    });
    for (const path of ['/demo/kyero', '/demo/kyero/1']) {
      const page = (await show(path, [weekly])).replace(/<pre.*<\/pre>/, '');
      expect(page).toMatch(/2\s170\s€ \/ semaine/);
      expect(page).not.toMatch(/9\s403|par mois|\/ mois/);
    }
    expect(await show('/demo/kyero/1', [aListing({ loyer: 900 })])).toMatch(/900\s€ \/ mois/);
  });

  it('shows the scales of France for France, and elsewhere what the certificate says', async () => {
    const flat = { typeCode: 'appartement', dpeClasse: 'C', dpeDate: '2024-03-05', pays: 'BE' } as const;
    const figure = {
      pays: 'BE',
      echelle: 'BE-VLG',
      grandeur: 'energie-primaire',
      classe: 'A+',
      valeur: 45,
      unite: 'kWh/m²/an',
    } as const;
    const told = (await show('/demo/kyero/1', [aListing({ ...flat, energie: [figure] })])).replace(/<pre.*<\/pre>/, '');
    expect(told).toContain('Energiescore: A+, 45 kWh/m²/an');
    expect(told).not.toMatch(/DPE|GES/);
    const card = await show('/demo/kyero', [aListing({ ...flat, energie: [figure] })]);
    expect(card).toContain('Énergie A+');
    expect(card).not.toContain('DPE');
    expect((await show('/demo/kyero/1', [aListing({ ...flat, pays: 'ES' })])).replace(/<pre.*<\/pre>/, '')).not.toMatch(
      /DPE|GES|Performance/,
    );
    expect(await show('/demo/kyero/1', [aListing({ ...flat, pays: 'RE' })])).toContain(
      'Diagnostic de performance énergétique',
    );
  });

  it.each([
    ['stale', 'Flux non confirmé'],
    ['held', 'Mise à jour retenue'],
    ['failing', 'Flux en panne'],
    ['never', 'Jamais importé'],
  ] as const)('says that the feed is %s, and why', async (state, words) => {
    const feed: Feed = { ...FRESH, state, reason: { code: 'retry', message: 'The source did not answer.' } };
    for (const path of ['/demo', '/demo/kyero', '/demo/kyero/1']) {
      const page = await show(path, [aListing()], feed);
      expect(page).toContain(words);
      expect(page).toContain('The source did not answer.');
    }
  });

  it('filters, and keeps the filter on the next page', async () => {
    const many = Array.from({ length: 30 }, (_, index) => aListing({ affId: `m${index}`, typeCode: 'maison' }));
    const page = await show('/demo/kyero?type=maison&page=1', [...many, aListing({ typeCode: 'terrain' })]);

    expect(page.match(/<li class="card">/g)).toHaveLength(24);
    expect(page).toContain('30 annonces, page 1 sur 2');
    expect(page).toMatch(/<option value="maison"\s+selected\s*>\s*Maison \(30\)\s*<\/option>/);
    expect(page).toContain('href="/demo/kyero?type=maison&amp;page=2"');
  });

  it.each(['0', '-3', '999', 'x', '1.5', '1e9'])('shows a page of the list for page=%s', async (asked) => {
    const page = await show(`/demo/kyero?page=${asked}`, [aListing()]);
    expect(page).toContain('<li class="card">');
  });

  it.each(['/demo/none', '/demo/kyero/none', '/demo/kyero/1/2', '/other', '/demo/%E0%A4%A', '/demo/__proto__'])(
    'has no page at %s',
    async (path) => {
      expect((await ask(path, [aListing()])).status).toBe(404);
    },
  );

  it('leads from the root to its first page', async () => {
    expect(await ask('/', [])).toMatchObject({ status: 302, headers: { location: '/demo' } });
  });

  it('says so when the API fails, without what went wrong inside', async () => {
    const failing = (error: Error): Site => {
      const fail = (): Promise<never> => Promise.reject(error);
      const api: ReadApi = { feed: fail, portfolio: fail, listing: fail };
      return new Site({ gateways: [GATEWAY], api, places: PLACES, docsUrl: '' });
    };
    const url = new URL('/demo', 'http://demo');
    const refused = await failing(new ApiFailure(401, '401 AUTH_FAILED: <key>')).answer(url);
    const broken = await failing(new Error('inside')).answer(url);

    expect([refused.status, broken.status]).toEqual([502, 502]);
    expect(refused.body).toContain('401 AUTH_FAILED: &lt;key&gt;');
    expect(broken.body).not.toContain('inside');
  });
});

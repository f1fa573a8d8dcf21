import { readFileSync } from 'node:fs';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { Browser, BROWSER, type BrowserPage } from '../../support/browser';
import { frenchListings } from '../../wordpress/support/listings';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** A phone on a slow mobile network: 1.6 Mbit/s, 150 ms latency. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const WATCH = `globalThis.paints = { largestMs: 0, shift: 0 };
  const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => (paints.largestMs = startTime));
  watch('layout-shift', ({ value, hadRecentInput }) => (paints.shift += hadRecentInput ? 0 : value));`;
/** Styles all buttons as the theme Twenty Twenty-One does. */
const OWN_BUTTONS = `addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = 'button:not(:hover):not(:active):not(.has-background) { background-color: #28303d; color: #d1e4dd; }';
  document.head.append(style);
});`;
/** docs/clients.md has times of other themes: `PAGE_THEME=twentytwentythree` uses one, and prints the times. */
const THEME = process.env['PAGE_THEME'] ?? 'bare';
/** The minimum height and width of a touch target. */
const TARGET_PX = 44;

// Real: a browser, WordPress with a theme that does not know listings, the API. Fake: the ingestor.
describeWordPress('the pages of the plugin', () => {
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
    gateway = await addGateway(api.database, { crm: 'kyero', listings: frenchListings(simulator) });
    await site.connect(
      { ...gateway, base: api.url },
      { photos: 'link', tiles: 'https://tiles.example/{z}/{x}/{y}.png' },
    );
    expect(await site.slice()).toMatchObject({ state: 'done', added: 30 });
    await site.php(`switch_theme('${THEME}'); flush_rewrite_rules(); return true;`);
    await site.serve();
    if (BROWSER !== null) browser = await Browser.launch();
  });
  afterAll(async () => {
    await browser?.close();
    await simulator.close();
    await Promise.all([api.close(), site.close()]);
  });

  const open = (path: string, size = SIZES[0]!): Promise<BrowserPage> => browser!.open(site.url + path, size);
  const text = async (path: string): Promise<string> => (await fetch(site.url + path)).text();

  /** The address of the first listing that the list links to. */
  async function firstListing(): Promise<string> {
    const [, address = ''] =
      /class="psr-card"><a href="([^"]+)"/.exec(await text('/annonces/?tri=dear&bien=appartement')) ?? [];
    return address.replace(site.url, '');
  }

  describe.each(SIZES)('$width px wide', (size) => {
    inBrowser('show the list and a listing completely, with targets that are large enough for a finger', async () => {
      for (const path of ['/annonces/', '/annonces/?bien=maison&prix_max=400000', await firstListing()]) {
        const page = await open(path, size);
        const broken = await page.evaluate(`(async () => {
          const photos = [...document.images];
          for (const photo of photos) photo.loading = 'eager';
          await Promise.all(photos.map((photo) => photo.decode().catch(() => undefined)));
          return photos.filter(({ naturalWidth, alt }) => naturalWidth === 0 || alt === '').map(({ src }) => src);
        })()`);
        const seen = await page.evaluate(`({
          hidden: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          small: [...document.querySelectorAll('.psr a, .psr button, .psr input, .psr select')]
            .filter((element) => element.checkVisibility() && element.closest('[aria-hidden="true"]') === null)
            .map((element) => [element.getBoundingClientRect(), element])
            .filter(([{ width, height }]) => Math.min(width, height) < ${TARGET_PX})
            .map(([{ width, height }, element]) => width + ' x ' + height + ': ' + element.outerHTML.slice(0, 100)),
          photos: document.images.length > 0,
        })`);
        expect({ path, broken, seen, errors: page.errors }).toEqual({
          ...{ path, broken: [], errors: [] },
          seen: { hidden: 0, small: [], photos: true },
        });
      }
    });

    inBrowser('have no accessibility fault that axe finds', async () => {
      for (const path of ['/annonces/', '/annonces/?bien=maison&prix_max=400000', await firstListing()]) {
        const page = await open(path, size);
        await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
        await page.evaluate(AXE);
        // Check only the plugin's part, because the theme of the test has no title and no landmarks.
        const faults = await page.evaluate(
          `axe.run('.psr').then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ').slice(0, 300)))`,
        );
        expect({ path, faults }).toEqual({ path, faults: [] });
      }
    });

    inBrowser('let the owner see the state of the gateway, start a run and ask about a listing', async () => {
      const page = await open('/wp-login.php', size);
      await page.evaluate(
        `fetch('/wp-login.php', { method: 'POST', body: new URLSearchParams({ log: 'admin', pwd: 'not-a-secret' }) })`,
      );
      const admin = await open('/wp-admin/edit.php?post_type=passerelle_bien&page=passerelle', size);
      const shown = String(await admin.evaluate(`document.querySelector('.psr-admin').innerText`));
      expect(shown).toContain('à jour');
      expect(shown).toContain('30 annonces');
      expect(await admin.evaluate(`document.documentElement.outerHTML.includes(${JSON.stringify(gateway.key)})`)).toBe(
        false,
      );
      expect(
        await admin.evaluate(
          `document.querySelector('.psr-admin').scrollWidth - document.querySelector('.psr-admin').clientWidth`,
        ),
      ).toBe(0);

      const answer = await admin.evaluate(`(async () => {
        const form = [...document.forms].find(({ elements }) => elements.deed?.value === 'run');
        const page = await (await fetch(form.getAttribute('action'), { method: 'POST', body: new FormData(form) })).text();
        return new DOMParser().parseFromString(page, 'text/html').querySelector('.notice-success')?.innerText ?? page.slice(0, 300);
      })()`);
      expect(answer).toBe('À jour.');
      const why = await admin.evaluate(`(async () => {
        const form = [...document.forms].find(({ elements }) => elements.deed?.value === 'why');
        form.elements.why.value = '1001';
        const page = await (await fetch(form.getAttribute('action'), { method: 'POST', body: new FormData(form) })).text();
        return new DOMParser().parseFromString(page, 'text/html').querySelector('.psr-answer')?.innerText ?? page.slice(0, 300);
      })()`);
      expect(why).toContain('Elle occupe le rang 1 parmi les 30');
      expect(why).toContain(`${site.url}/annonces/`);
    });
  });

  inBrowser('keep the colours of their buttons in a theme that colours every button', async () => {
    const page = await browser!.open(site.url + (await firstListing()), SIZES[0]!, ({ send }) =>
      send('Page.addScriptToEvaluateOnNewDocument', { source: OWN_BUTTONS }),
    );
    const colours = (selector: string): Promise<unknown> =>
      page.evaluate(
        `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('${selector}')))`,
      );
    expect(await colours('.psr-enquiry button')).toEqual(['rgb(11, 91, 189)', 'rgb(255, 255, 255)']);
    expect(await colours('.psr-heart')).toEqual(['rgb(255, 255, 255)', 'rgb(179, 22, 75)']);
    expect(await colours('.psr-copy')).toEqual(['rgb(255, 255, 255)', 'rgb(11, 91, 189)']);
  });

  inBrowser('do not shift while they load on a slow network, and load few files of the plugin', async () => {
    for (const path of ['/annonces/', await firstListing()]) {
      await open(path);
      const page = await browser!.open(site.url + path, SIZES[0]!, async ({ send }) => {
        await send('Network.enable');
        await send('Network.emulateNetworkConditions', SLOW);
        await send('Emulation.setCPUThrottlingRate', { rate: 4 });
        await send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
      });
      const seen = await page.evaluate(`(async () => {
        const pause = (ms) => new Promise((done) => setTimeout(done, ms));
        for (let turn = 0; turn < 1200 && paints.largestMs === 0; turn += 1) await pause(50);
        await pause(500);
        const own = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/plugins/passerelle/'));
        return { ...paints, ownBytes: own.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0), files: own.length,
          firstByteMs: performance.getEntriesByType('navigation')[0].responseStart };
      })()`);
      // The times depend on the machine, so the test only prints them on request.
      if (process.env['SHOW_PAINTS'] !== undefined) process.stdout.write(`${path} ${JSON.stringify(seen)}\n`);
      const { shift, ownBytes, files, largestMs } = seen as Record<string, number>;
      if (process.env['PAGE_THEME'] !== undefined)
        process.stderr.write(
          `${THEME} ${path}: largest paint ${Math.round(largestMs!)} ms, shift ${shift!.toFixed(3)}\n`,
        );
      expect({
        path,
        isStill: shift! < 0.01,
        isPainted: largestMs! > 0,
        ownBytes: ownBytes! < 30_000,
        files: files! <= 3,
      }).toEqual({
        ...{ path, isStill: true, isPainted: true, ownBytes: true, files: true },
      });
    }
  });

  it('filter and sort the list, and show the number of results', async () => {
    const cards = async (query: string): Promise<number> =>
      ((await text(`/annonces/?${query}`)).match(/psr-card"/g) ?? []).length;
    const count = (is: (listing: ReturnType<typeof frenchListings>[number]) => boolean): number =>
      frenchListings(simulator).filter(is).length;
    expect(await cards('')).toBe(24);
    expect((await text('/annonces/page/2/')).match(/psr-card"/g)).toHaveLength(6);
    expect(await cards('bien=maison')).toBe(
      Math.min(
        24,
        count(({ typeCode }) => typeCode === 'maison'),
      ),
    );
    expect(await cards('offre=location')).toBe(count(({ typeTransaction }) => typeTransaction === 'location'));
    expect(await cards('surface_min=100')).toBe(count(({ surfaceHabitable = 0 }) => surfaceHabitable >= 100));
    expect(await cards("ville=Nulle+part'%22%3C")).toBe(0);
    expect(await text("/annonces/?ville=Nulle+part'%22%3C")).not.toContain(`part'"<`);
    expect(await text('/annonces/')).toContain('30 annonces');
  });

  it('show the information that the law requires, and describe the offer to search engines', async () => {
    const html = await text(await firstListing());
    for (const particular of [
      'Honoraires',
      '4\u00a0% TTC à la charge de l’acquéreur',
      'Copropriété',
      'Charges annuelles',
      'psr-scale',
      'georisques',
    ])
      expect(html).toContain(particular);
    const [, json = '{}'] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'RealEstateListing',
      offers: { '@type': 'Offer', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
      mainEntity: { address: { addressCountry: 'FR' } },
    });
  });

  it('the admin page runs actions only for the owner, and rejects a form without its nonce', async () => {
    const order = (headers: Record<string, string>, fields: Record<string, string>): Promise<Response> =>
      fetch(`${site.url}/wp-admin/admin-post.php`, {
        ...{ method: 'POST', redirect: 'manual', headers },
        body: new URLSearchParams({ action: 'passerelle', deed: 'run', name: `kyero/${gateway.client}`, ...fields }),
      });
    const cookieOf = (role: string): Promise<string> =>
      site.php<string>(`
        $id = username_exists('${role}') ?: wp_insert_user(['user_login' => '${role}', 'user_pass' => 'x', 'role' => '${role}']);
        $token = WP_Session_Tokens::get_instance($id)->create(time() + 999);
        return AUTH_COOKIE . '=' . rawurlencode(wp_generate_auth_cookie($id, time() + 999, 'auth', $token)) . '; ' . LOGGED_IN_COOKIE . '=' . rawurlencode(wp_generate_auth_cookie($id, time() + 999, 'logged_in', $token));`);
    expect((await order({}, {})).headers.get('location') ?? 'nothing').not.toContain('page=passerelle');
    expect((await order({ cookie: await cookieOf('editor') }, {})).status).toBe(403);
    expect((await order({ cookie: await cookieOf('administrator') }, { _wpnonce: 'wrong' })).status).toBe(403);
    const last = await site.php<{ last: { ended: number } }>(
      `return Passerelle\\WordPress\\Settings::state('kyero/${gateway.client}');`,
    );
    expect(last.last.ended).toBeGreaterThan(0);
  });
});

import { Browser, BROWSER } from '../../support/browser';
import { type MailServer, startMailServer } from '../../support/mail-server';
import { untilServed } from '../../support/until-served';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
  type TestListing,
} from '../../medium/api/api-under-test';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const HOUSE = { typeTransaction: 'vente', typeCode: 'maison', pays: 'FR', ville: 'Lyon', photos: [] };
const LIST: TestListing[] = ['A', 'B', 'C'].map((affId, at) => ({
  ...HOUSE,
  ...{ affId, intitule: `Maison ${affId}`, prix: 200_000 + at },
}));
const NEW: TestListing[] = [
  { ...HOUSE, affId: 'D', intitule: 'Maison neuve', prix: 300_000 },
  { ...HOUSE, affId: 'E', intitule: 'Maison trop chère', prix: 900_000 },
  { ...HOUSE, affId: 'F', intitule: 'Appartement neuf', typeCode: 'appartement', prix: 300_000 },
];
const VISITOR = 'claire@visiteur.example';

// Real: WordPress behind PHP's own web server, its mailer, a mail server, a browser, MariaDB, the API. Fake: the ingestor.
describeWordPress('saved searches and shared listings:', () => {
  const inBrowser = BROWSER === null ? it.skip : it;
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;
  let mail: MailServer;

  beforeAll(async () => {
    [api, site, mail] = await Promise.all([startApi(), createSite({ locale: 'fr_FR' }), startMailServer()]);
    gateway = await addGateway(api.database, { listings: LIST });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    await site.mailThrough(mail.port);
    await site.slice();
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
  });
  beforeEach(async () => {
    [mail.mails, mail.refusal] = [[], null];
    await site.php(`global $wpdb; $wpdb->query('DELETE FROM wp_passerelle_searches');
      $wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE '%passerelle\\_from\\_%'"); return 1;`);
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close(), mail.stop()]);
  });

  const publish = async (list: TestListing[]): Promise<void> => {
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
    expect(await site.slice()).toMatchObject({ state: 'done' });
  };
  const send = async (fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({
      ...{ psr_email: VISITOR, psr_consent: '1', psr_website: '', passerelle_alert: '1', bien: 'maison' },
      ...{ prix_max: '400000', ...fields },
    });
    const answer = await fetch(`${site.url}/annonces/`, { method: 'POST', redirect: 'manual', body });
    return { status: answer.status, text: await answer.text() };
  };
  const kept = () =>
    site.php<Record<string, string | null>[]>(
      `return Passerelle\\WordPress\\Table::rows('SELECT * FROM wp_passerelle_searches ORDER BY id');`,
    );
  const deliver = () => site.php(`Passerelle\\WordPress\\Alerts::deliver(20); return 1;`);
  const later = (hours: number) =>
    site.php(`return $GLOBALS['wpdb']->query('UPDATE wp_passerelle_searches SET
      next_try = next_try - INTERVAL ${hours} HOUR, told_at = told_at - INTERVAL ${hours} HOUR, asked_at = asked_at - INTERVAL ${hours} HOUR');`);
  const textOf = (raw: string): string => {
    const body = raw.slice(raw.indexOf('\r\n\r\n'));
    const coding = /^Content-Transfer-Encoding: (\S+)/im.exec(raw)?.[1] ?? '8bit';
    if (coding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
    if (coding !== 'quoted-printable') return body;
    const hex = (bytes: string): string => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8');
    return body.replace(/=\r\n/g, '').replace(/(?:=[0-9A-F]{2})+/g, hex);
  };
  const linkOf = (raw: string, deed: string): string =>
    new RegExp(`http\\S+deed=${deed}\\S+`).exec(textOf(raw))?.[0].trim() ?? 'none';
  /** Saves a search, and confirms it with the link in its e-mail. */
  async function confirmed(): Promise<void> {
    expect((await send()).status).toBe(303);
    await fetch(linkOf(mail.mails[0]!.raw, 'confirm'), { method: 'POST' });
    mail.mails = [];
  }

  it('a search starts after a click to confirm it, sends new matches once per day, and ends with one POST', async () => {
    const page = await (await fetch(`${site.url}/annonces/?bien=maison&prix_max=400000`)).text();
    expect(page).toMatch(/id="psr-alert"[\s\S]*name="bien" value="maison"[\s\S]*name="prix_max" value="400000"/);
    expect((await send()).status).toBe(303);
    expect(mail.mails.map(({ to }) => to)).toEqual([[VISITOR]]);
    const confirm = linkOf(mail.mails[0]!.raw, 'confirm');
    // A GET of the link, as e-mail scanners send it, confirms nothing.
    const asked = await (await fetch(confirm)).text();
    expect(asked).toMatch(/<form method="post">/);
    await publish([...LIST, NEW[1]!]);
    await deliver();
    expect(mail.mails).toHaveLength(1);
    expect(await kept()).toMatchObject([{ confirmed_at: null }]);

    expect((await fetch(confirm, { method: 'POST' })).status).toBe(200);
    await deliver();
    expect(mail.mails).toHaveLength(1);
    await publish([...LIST, ...NEW]);
    await later(2);
    await deliver();
    await deliver();
    expect(mail.mails).toHaveLength(2);
    const { to, raw } = mail.mails[1]!;
    expect(to).toEqual([VISITOR]);
    expect(textOf(raw)).toMatch(/Maison · Prix max\S* 400.000 €[\s\S]*Maison neuve\r?\n300.000 € · Lyon\r?\nhttp/u);
    expect(textOf(raw)).not.toMatch(/Maison A|trop chère|Appartement neuf/);
    const end = linkOf(raw, 'end');
    expect(raw.replace(/\r\n\s+/g, ' ')).toContain(`List-Unsubscribe: <${end}>`);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);

    await publish([...LIST, ...NEW, { ...NEW[0]!, affId: 'G', intitule: 'Maison du lendemain' }]);
    await deliver();
    expect(mail.mails).toHaveLength(2);
    await later(24);
    await deliver();
    expect(mail.mails).toHaveLength(3);
    expect(textOf(mail.mails[2]!.raw)).toMatch(/Maison du lendemain/);
    expect(textOf(mail.mails[2]!.raw)).not.toMatch(/Maison neuve/);

    await fetch(end);
    expect(await kept()).toHaveLength(1);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(end, { method: 'POST', body, redirect: 'manual' })).status).toBe(200);
    expect(await kept()).toEqual([]);
    expect((await fetch(end, { method: 'POST', body })).status).toBe(200);
    expect((await fetch(confirm)).status).toBe(404);
  });

  it('a search without confirmation is deleted after a week, and one address gets at most three confirmation e-mails', async () => {
    for (const ville of ['Lyon', 'Lyon', 'Paris', 'Nice', 'Brest']) expect((await send({ ville })).status).toBe(303);
    expect(mail.mails).toHaveLength(3);
    await later(24 * 7 + 1);
    await deliver();
    expect(await kept()).toEqual([]);
  });

  it.each([
    [{ psr_email: 'claire@' }, 422],
    [{ psr_email: 'a@b.example\r\nBcc: c@d.example' }, 422],
    [{ psr_consent: '' }, 422],
    // Robots get the same answer as after a success.
    [{ psr_website: 'https://spam.example' }, 303],
  ])('a search with %j is not stored', async (fields, status) => {
    expect((await send(fields)).status).toBe(status);
    expect([await kept(), mail.mails]).toEqual([[], []]);
  });

  it('a search rejects a wrong secret, and stays unchanged', async () => {
    await confirmed();
    const [{ id }] = (await kept()) as [{ id: string }];
    const address = `${site.url}/?passerelle_search=${id}&deed=end&secret=`;
    for (const secret of ['', '0'.repeat(32), '%00', '[]'])
      expect((await fetch(address + secret, { method: 'POST' })).status).toBe(404);
    expect(await kept()).toMatchObject([{ email: VISITOR }]);
  });

  it('a search stays pending while the mail server refuses its e-mail, and then sends the e-mail once', async () => {
    // Publish in steps, because the plugin holds a list that removes more than half of the listings.
    for (const list of [[...LIST, ...NEW], [...LIST, NEW[1]!], LIST]) await publish(list);
    await confirmed();
    await publish([...LIST, { ...NEW[0]!, affId: 'H', intitule: 'Maison attendue' }]);
    mail.refusal = 451;
    await later(2);
    await deliver();
    expect(await kept()).toMatchObject([{ tries: '1', told_at: null }]);
    mail.refusal = null;
    await later(24);
    await deliver();
    await deliver();
    expect(mail.mails.map(({ raw }) => textOf(raw).includes('Maison attendue'))).toEqual([true]);
  });

  it('a search is included in the tools for personal data, and its form is absent when the owner disables alerts', async () => {
    await confirmed();
    const found = await site.php<{ data: object[] }>(
      `$all = apply_filters('wp_privacy_personal_data_exporters', []); return $all['passerelle']['callback']('${VISITOR}');`,
    );
    expect(JSON.stringify(found)).toContain('Maison');
    await site.php(
      `$all = apply_filters('wp_privacy_personal_data_erasers', []); return $all['passerelle']['callback']('${VISITOR}');`,
    );
    expect(await kept()).toEqual([]);
    await site.connect({ ...gateway, base: api.url }, { alerts: 'no' });
    expect(await (await fetch(`${site.url}/annonces/`)).text()).not.toContain('id="psr-alert"');
    await site.connect({ ...gateway, base: api.url }, { alerts: 'yes' });
  });

  inBrowser('favourites are stored only in the browser, and their page is excluded from search engines', async () => {
    await publish(LIST);
    const browser = await Browser.launch();
    try {
      const page = await browser.open(`${site.url}/annonces/`, { width: 390, height: 844 });
      const seen = await page.evaluate(`(() => {
        const hearts = [...document.querySelectorAll('.psr-card .psr-heart')];
        const link = document.querySelector('.psr-favourites');
        const before = [hearts.length, link.hidden];
        for (const heart of hearts.slice(0, 2)) heart.click();
        hearts[2].click(); hearts[2].click();
        return {
          before, pressed: hearts.map((heart) => heart.getAttribute('aria-pressed')), label: hearts[0].getAttribute('aria-label'),
          text: link.textContent, href: link.href, cookies: document.cookie,
          titles: [...document.querySelectorAll('.psr-title')].slice(0, 2).map(({ innerText }) => innerText),
        };
      })()`);
      expect(seen).toMatchObject({
        ...{ before: [3, true], pressed: ['true', 'true', 'false'], label: expect.stringMatching(/^Favori : Maison/) },
        ...{ text: 'Mes favoris (2)', cookies: '' },
      });
      const { href, titles } = seen as { href: string; titles: string[] };
      const list = await (await fetch(href)).text();
      expect([...list.matchAll(/psr-title">([^<]*)</g)].map(([, title = '']) => title).sort()).toEqual(titles.sort());
      expect(list).toMatch(/<h1>Mes favoris<\/h1>/);
      expect(list).toMatch(/<meta name='robots' content='[^']*noindex/);
      // The next page shows the same favourites, and loads nothing from another site.
      const next = await browser.open(href, { width: 1440, height: 900 });
      expect(
        await next.evaluate(`[document.querySelectorAll('.psr-heart[aria-pressed="true"]').length,
          performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith(location.origin)).length]`),
      ).toEqual([2, 0]);
      expect([...page.errors, ...next.errors]).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('a listing is shared by links, and the page loads nothing from social networks', async () => {
    const html = await (await fetch(`${site.url}/annonces/maison-a-a/`)).text();
    const [share = ''] = /<ul class="psr-share"[\s\S]*?<\/ul>/.exec(html) ?? [];
    const address = encodeURIComponent(`${site.url}/annonces/maison-a-a/`);
    for (const link of ['mailto:?subject=Maison%20A', 'https://wa.me/?text=Maison%20A', `sharer.php?u=${address}`])
      expect(share).toContain(link);
    expect(html).not.toMatch(/<(?:script|img|iframe|link)[^>]*(?:facebook|whatsapp|wa\.me|linkedin)/i);
  });
});

import { SecretBox } from '@passerelle/domain';
import { type MailServer, startMailServer } from '../../support/mail-server';
import { startFeedServer } from '../../support/feed-server';
import {
  addGateway,
  type ApiUnderTest,
  type SeededGateway,
  startApi,
  type TestListing,
} from '../../medium/api/api-under-test';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

/** Enough for more than two slices. `ENQUIRIES=1000` makes the test longer. */
const ENQUIRIES = Number(process.env['ENQUIRIES'] ?? 50);
const SECRETS_KEY = 'the-key-of-the-enquiries-of-this-test';
const FLAT = { typeTransaction: 'vente', typeCode: 'appartement', prix: 200_000, pays: 'FR', photos: [] };
const LIST: TestListing[] = [
  { ...FLAT, affId: 'A', affNum: 'REF-A', intitule: 'Bel appartement', negoEmail: 'nego@agence.example' },
  { ...FLAT, affId: 'B', intitule: 'Studio <script>alert(1)</script>' },
];
const WRITTEN = {
  ...{ psr_name: 'Claire Martin', psr_email: 'claire@visiteur.example', psr_phone: '06 39 98 00 00' },
  ...{
    psr_message: 'Bonjour,\nle prix "200 000 €" est-il ferme ? <b>',
    psr_consent: '1',
    psr_website: '',
    passerelle_enquiry: '1',
  },
};

// Real: WordPress behind PHP's own web server, its mailer, a mail server, MariaDB, the API. Fake: the ingestor.
describeWordPress('an enquiry', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;
  let mail: MailServer;

  beforeAll(async () => {
    [api, site, mail] = await Promise.all([
      startApi({ secretsKey: SECRETS_KEY }),
      createSite({ locale: 'fr_FR' }),
      startMailServer(),
    ]);
    gateway = await addGateway(api.database, { listings: LIST });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    await site.mailThrough(mail.port);
    await site.slice();
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
  });
  beforeEach(async () => {
    mail.mails = [];
    await site.php(`global $wpdb; $wpdb->query('DELETE FROM wp_passerelle_enquiries');
      $wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE '%passerelle\\_from\\_%'"); return 1;`);
    await settings({ enquiries: 'email', enquiries_hook: '' });
    await api.testDatabase.query('DELETE FROM outbox');
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close(), mail.stop()]);
  });

  const settings = (change: Record<string, string>) =>
    site.php(
      `$all = ${phpArray(change)} + Passerelle\\WordPress\\Settings::all(); Passerelle\\WordPress\\Settings::save($all); return 1;`,
    );
  const addressOf = (affId: string): Promise<string> =>
    site.php<string>(
      `return get_permalink((int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', '${affId}')['post_id']);`,
    );
  const send = async (affId: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ ...WRITTEN, ...fields });
    const answer = await fetch(await addressOf(affId), { method: 'POST', redirect: 'manual', body });
    return { status: answer.status, to: answer.headers.get('location') ?? '', text: await answer.text() };
  };
  const kept = () =>
    site.php<Record<string, string | null>[]>(
      `return Passerelle\\WordPress\\Table::rows('SELECT * FROM wp_passerelle_enquiries ORDER BY id');`,
    );
  const deliver = () => site.php(`Passerelle\\WordPress\\Enquiries::deliver(20); return 1;`);
  const due = () =>
    site.php(`$GLOBALS['wpdb']->query('UPDATE wp_passerelle_enquiries SET next_try = NULL'); return 1;`);
  /** The decoded text of an e-mail. */
  const textOf = (raw: string): string => {
    const body = raw.slice(raw.indexOf('\r\n\r\n'));
    return /^Content-Transfer-Encoding: base64/im.test(raw)
      ? Buffer.from(body, 'base64').toString('utf8')
      : body
          .replace(/=\r\n/g, '')
          .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));
  };

  it('has a form, with consent, on each listing', async () => {
    const page = await (await fetch(await addressOf('A'))).text();
    const [form = ''] = /<form id="psr-enquiry"[\s\S]*?<\/form>/.exec(page) ?? [];
    for (const part of ['psr_name', 'psr_email', 'psr_phone', 'psr_message', 'name="psr_consent" value="1" required'])
      expect(form).toContain(part);
    expect(form).not.toContain('checked');
    // Address collectors must not find the negotiator's address.
    expect(page).not.toContain('nego@agence.example');
  });

  it('reaches the negotiator, whose reply goes to the visitor, and the site keeps a copy', async () => {
    const answer = await send('A');
    expect(answer).toMatchObject({ status: 303, to: expect.stringContaining('enquiry=sent#psr-enquiry') });
    expect(await (await fetch(answer.to)).text()).toContain('Merci, votre demande est transmise.');
    expect(mail.mails).toHaveLength(1);
    const [{ to, raw }] = mail.mails as [(typeof mail.mails)[0]];
    expect(to).toEqual(['nego@agence.example']);
    expect(raw).toMatch(/^Reply-To: claire@visiteur\.example\r$/m);
    expect(textOf(raw).replaceAll('\r\n', '\n')).toContain(
      'Référence: REF-A\nBien: Bel appartement\nNom: Claire Martin\nE-mail: claire@visiteur.example\nTéléphone: 06 39 98 00 00\n',
    );
    expect(textOf(raw)).toContain('le prix "200 000 €" est-il ferme ? <b>');
    expect(await kept()).toMatchObject([
      { aff_id: 'A', name: 'Claire Martin', failure: null, done_at: expect.any(String) },
    ]);
  });

  it('is delivered once when the visitor sends it repeatedly, to the owner when the listing names no agent', async () => {
    await Promise.all([send('B'), send('B'), send('B')]);
    await deliver();
    expect(mail.mails.map(({ to }) => to)).toEqual([['admin@site.example']]);
    expect(await kept()).toHaveLength(1);
  });

  it.each([
    ['psr_consent', '', 'Il nous faut votre accord'],
    ['psr_name', ' ', 'Indiquez votre nom'],
    ['psr_email', 'claire@', 'pas une adresse e-mail'],
    ['psr_email', 'a@b.example\r\nBcc: c@d.example', 'pas une adresse e-mail'],
    ['psr_phone', 'appelez', 'pas un numéro'],
  ])(`whose %s is "%s" is rejected, and the form keeps the visitor's input`, async (field, value, sentence) => {
    const { status, text } = await send('A', { [field]: value, psr_message: '</textarea><script>x' });
    expect(status).toBe(422);
    expect(text).toContain(sentence);
    expect(text).toContain('&lt;/textarea&gt;&lt;script&gt;x');
    expect(text).not.toContain('</textarea><script>x');
    expect([await kept(), mail.mails]).toEqual([[], []]);
  });

  it('is dropped when a robot fills in every field, and the robot gets the same answer as after a success', async () => {
    expect((await send('A', { psr_website: 'https://spam.example' })).status).toBe(303);
    expect([await kept(), mail.mails]).toEqual([[], []]);
  });

  it("is answered once in the owner's words, without those of the visitor, when the owner wants it", async () => {
    await settings({ enquiries_reply: 'Merci, nous vous rappelons demain.' });
    expect((await send('A', { psr_email: 'claire@visiteur.example', psr_message: 'acheter <b>' })).status).toBe(303);
    await deliver();
    const answers = mail.mails.filter(({ to }) => to.includes('claire@visiteur.example'));
    expect(answers).toHaveLength(1);
    const text = textOf(answers[0]!.raw);
    expect(text).toContain('Merci, nous vous rappelons demain.');
    expect(text).toContain(await addressOf('A'));
    expect(text).not.toContain('acheter');
    await settings({ enquiries_reply: '' });
    await send('A', { psr_message: 'encore' });
    expect(mail.mails.filter(({ to }) => to.includes('claire@visiteur.example'))).toHaveLength(1);
  });

  it('names the proposed dates for a visit, without past dates and duplicates', async () => {
    const dates = { psr_visit_1: '2099-03-01', psr_visit_2: '2001-01-01', psr_visit_3: '2099-03-01' };
    expect((await send('A', { ...dates, psr_message: 'Bonjour' })).status).toBe(303);
    const [{ message }] = (await kept()) as [{ message: string }];
    expect(message).toBe('Bonjour\n\nDates de visite proposées :\n- 1 mars 2099');
    expect((await send('A', { psr_visit_1: '2099-02-31', psr_message: 'Bonsoir' })).status).toBe(303);
    expect((await kept())[1]?.['message']).toBe('Bonsoir');
  });

  it('is rejected after five enquiries from one address within ten minutes', async () => {
    for (let n = 0; n < 5; n += 1) expect((await send('A', { psr_message: `${n}` })).status).toBe(303);
    const sixth = await send('A', { psr_message: '6' });
    expect(sixth.status).toBe(422);
    expect(sixth.text).toContain('Trop de demandes');
    expect(await kept()).toHaveLength(5);
  });

  it(`reaches the mail server exactly once, for each of ${ENQUIRIES} enquiries, after an outage of the server`, async () => {
    await mail.stop();
    expect((await send('A')).status).toBe(303);
    expect(await kept()).toMatchObject([{ done_at: null, failure: 'L’e-mail n’a pas pu être envoyé.' }]);
    await site.php(`$post = (int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'A')['post_id'];
      for ($n = 1; $n < ${ENQUIRIES}; $n += 1) Passerelle\\WordPress\\Enquiries::add($post, ['name' => "V $n", 'email' => "v$n@visiteur.example", 'phone' => '', 'message' => '']);
      return 1;`);
    await deliver();
    expect((await kept()).filter(({ done_at: at }) => at === null)).toHaveLength(ENQUIRIES);
    await mail.start();
    await due();
    while ((await kept()).some(({ done_at: at }) => at === null)) await deliver();
    const senders = mail.mails.map(({ raw }) => /^Reply-To: (\S+)\r$/m.exec(raw)?.[1]);
    expect(senders).toHaveLength(ENQUIRIES);
    expect(new Set(senders).size).toBe(ENQUIRIES);
  });

  it('reaches the gateway once when the owner chose the gateway, and goes by e-mail when the gateway is unreachable for an hour', async () => {
    await settings({ enquiries: 'gateway' });
    await send('A');
    const leads = await api.testDatabase.query<{ aff_id: string; token: string; sealed: Buffer }>(
      'SELECT aff_id, message_id AS token, sealed FROM outbox',
    );
    expect(leads.map(({ aff_id: affId }) => affId)).toEqual(['A']);
    expect(JSON.parse(new SecretBox(SECRETS_KEY).open(leads[0]!.sealed))).toMatchObject({
      ...{ name: 'Claire Martin', email: 'claire@visiteur.example', phone: '06 39 98 00 00', langue: 'fr' },
      message: expect.stringMatching(/^Bonjour,\r?\nle prix/),
    });
    expect(mail.mails).toEqual([]);
    // Simulates that the record of the delivery was lost.
    await site.php(
      `$GLOBALS['wpdb']->query('UPDATE wp_passerelle_enquiries SET passed_at = NULL, done_at = NULL'); return 1;`,
    );
    await deliver();
    expect(await kept()).toMatchObject([{ failure: null, done_at: expect.any(String) }]);
    expect(await api.testDatabase.query('SELECT id FROM outbox')).toHaveLength(1);

    await site.connect({ ...gateway, base: 'http://127.0.0.1:9' }, { enquiries: 'gateway' });
    try {
      await send('B', { psr_message: 'another' });
      await due();
      await deliver();
      expect(mail.mails).toEqual([]);
      await site.php(
        `$GLOBALS['wpdb']->query('UPDATE wp_passerelle_enquiries SET next_try = NULL, received_at = received_at - INTERVAL 2 HOUR'); return 1;`,
      );
      await deliver();
      expect(mail.mails).toHaveLength(1);
    } finally {
      await site.connect({ ...gateway, base: api.url }, { enquiries: 'email' });
    }
  });

  it("is sent to the owner's webhook, and repeatedly until the webhook accepts it", async () => {
    const hook = await startFeedServer({ status: 500 });
    await settings({ enquiries_hook: hook.url });
    await send('A');
    expect(mail.mails).toHaveLength(1);
    expect((await kept())[0]).toMatchObject({ done_at: null, hooked_at: null });
    hook.answer = { status: 204 };
    await due();
    await deliver();
    expect((await kept())[0]).toMatchObject({ failure: null, done_at: expect.any(String) });
    expect(JSON.parse(hook.requests.at(-1)!.body)).toMatchObject({ affId: 'A', name: 'Claire Martin', langue: 'fr' });
    expect(mail.mails).toHaveLength(1);
    await hook.close();
  });

  it('is deleted some time after its delivery and by the tools for personal data, but kept while its delivery is pending', async () => {
    await send('A');
    await mail.stop();
    await send('B');
    await mail.start();
    const erased = () =>
      site.php<{ items_retained: boolean }>(`return Passerelle\\WordPress\\Privacy::erase('claire@visiteur.example');`);
    await site.php(
      `$GLOBALS['wpdb']->query('UPDATE wp_passerelle_enquiries SET received_at = received_at - INTERVAL 99 DAY, done_at = done_at - INTERVAL 91 DAY, next_try = UTC_TIMESTAMP() + INTERVAL 1 DAY'); return 1;`,
    );
    await deliver();
    expect((await kept()).map(({ aff_id: affId }) => affId)).toEqual(['B']);
    expect((await erased()).items_retained).toBe(true);
    expect(await kept()).toHaveLength(1);
    await due();
    await deliver();
    expect((await erased()).items_retained).toBe(false);
    expect(await kept()).toEqual([]);
  });
});

function phpArray(values: Record<string, string>): string {
  return `json_decode(base64_decode('${Buffer.from(JSON.stringify(values)).toString('base64')}'), true)`;
}

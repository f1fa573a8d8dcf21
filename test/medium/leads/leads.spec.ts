import { sizeOf } from '../../support/full-size';
import { createHmac, randomUUID } from 'node:crypto';
import { type Lead, type Listing, RETENTION, SecretBox, storeSource } from '@passerelle/domain';
import { connector as apimo } from '../../../libs/connectors/src/sources/apimo/connector';
import { connector as kyero } from '../../../libs/connectors/src/sources/kyero/connector';
import { connector as onoffice } from '../../../libs/connectors/src/sources/onoffice/connector';
import { connector as openimmo } from '../../../libs/connectors/src/sources/openimmo/connector';
import { type MailServer, startMailServer } from '../../support/mail-server';
import { type IngestorUnderTest, startIngestor } from '../ops-port/ingestor-under-test';
import { until } from '../../support/waiting';

const SECRETS_KEY = 'the-key-of-the-leads-of-this-test-run';
const LEADS = sizeOf('LEADS', { brief: 40, full: 200 });
const box = new SecretBox(SECRETS_KEY);
const WRITTEN: Lead = {
  ...{ name: 'Anne-Claire Martin', email: 'claire@visiteur.example', phone: '+33 6 39 98 00 00', langue: 'fr' },
  ...{ message: 'Bonjour & à bientôt <b>', pageUrl: 'https://agence.example/annonces/a/' },
};

interface StoredLead {
  tries: number;
  error: string | null;
  way: string | null;
  pause: number;
}

// Real: PostgreSQL, the ingestor, SMTP, HTTP to the CRM. Fake: the API, which is an INSERT, and the CRM's answers.
describe('delivery of leads', () => {
  let mail: MailServer;
  let ingestor: IngestorUnderTest;
  let gateways = 0;

  beforeAll(async () => {
    mail = await startMailServer();
    const settings = { secretsKey: SECRETS_KEY, mailUrl: mail.url, mailFrom: 'Passerelle <leads@gateway.example>' };
    ingestor = await startIngestor(settings, undefined, [apimo, kyero, onoffice, openimmo]);
  });
  beforeEach(() => {
    mail.mails = [];
    mail.refusal = null;
  });
  afterAll(async () => {
    await ingestor.close();
    await mail.stop();
  });

  async function addGateway(
    crm = 'kyero',
    settings: Record<string, string> = { 'lead-email': 'crm@agence.example' },
    credentials: Record<string, string> | null = null,
  ): Promise<number> {
    gateways += 1;
    const id = await ingestor.addGateway({ crm, client: `client-${gateways}` });
    await ingestor.database.gateways.setSource(id, {
      ...storeSource({ url: ingestor.crm.url, settings }, box),
      credentials: credentials === null ? null : box.seal(JSON.stringify(credentials)),
    });
    return id;
  }
  async function send(gatewayId: number, written: Lead = WRITTEN, affId: string | null = null): Promise<string> {
    const token = randomUUID();
    const sealed = box.seal(JSON.stringify(written));
    expect(await ingestor.database.receivedLeads.add({ gatewayId, token, affId, sealed })).not.toBeNull();
    return token;
  }
  /** Adds a listing to the gateway's list. */
  const list = (gatewayId: number, listing: Partial<Listing> & { affId: string }, scope = '') =>
    ingestor.testDatabase.query(
      `WITH v AS (
         INSERT INTO listing_version (gateway_id, snapshot_id, aff_id, scope, record_hash, content_hash, fill)
         VALUES ($1, 0, $2, $3, '', '', 0) RETURNING id
       ), n AS (INSERT INTO listing_normalized (version_id, gateway_id, body) SELECT id, $1, $4 FROM v)
       INSERT INTO current_listing (gateway_id, aff_id, version_id) SELECT $1, $2, id FROM v`,
      [gatewayId, listing.affId, scope, JSON.stringify(listing)],
    );
  const stored = async (token: string): Promise<StoredLead | undefined> =>
    (
      await ingestor.testDatabase.query<StoredLead>(
        `SELECT tries, error, way, extract(epoch FROM next_try_at - tried_at)::float8 AS pause FROM outbox WHERE message_id = $1`,
        [token],
      )
    )[0];
  const until1 = (token: string, is: (lead: StoredLead) => boolean) =>
    until(async () => {
      const lead = await stored(token);
      return lead !== undefined && is(lead);
    });
  const delivered = (token: string) => until1(token, ({ way }) => way !== null);
  const tryNow = () =>
    ingestor.testDatabase.query(`UPDATE outbox SET next_try_at = '-infinity' WHERE state = 'pending'`);
  const of = (token: string) => mail.mails.filter(({ raw }) => raw.includes(token));
  /** Decodes the text of an e-mail. */
  const textOf = (raw: string): string =>
    raw
      .replace(/=\r\n/g, '')
      .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));

  it("sends leads to the gateway's address, as text, with the visitor as reply address", async () => {
    const token = await send(await addGateway(), WRITTEN, 'L-7');
    await delivered(token);
    expect(await stored(token)).toMatchObject({ tries: 1, error: null, way: 'email' });
    const [one, ...others] = of(token);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ from: 'leads@gateway.example', to: ['crm@agence.example'] });
    expect(one!.raw).toMatch(/^Reply-To: claire@visiteur\.example\r$/m);
    expect(one!.raw).toContain(`Message-ID: <${token}@gateway.example>`);
    const text = textOf(one!.raw);
    for (const line of ['Référence: L-7', 'Nom: Anne-Claire Martin', 'Téléphone: +33 6 39 98 00 00', WRITTEN.message])
      expect(text).toContain(line);
  });

  it('sends leads to the agent of the listing when the gateway has no address', async () => {
    const gatewayId = await addGateway('kyero', {});
    const shown = { affId: 'L-8', affNum: 'REF 8', intitule: 'Ático con luz', langue: 'es' };
    await list(gatewayId, { ...shown, negoEmail: 'agent@agence.example' });
    const token = await send(gatewayId, WRITTEN, 'L-8');
    await delivered(token);
    const [one] = of(token);
    expect(one?.to).toEqual(['agent@agence.example']);
    expect(textOf(one!.raw)).toContain('Referencia: REF 8\r\nInmueble: Ático con luz');
  });

  it('waits while the gateway has no address, reports this problem, and continues when the gateway has an address', async () => {
    const gatewayId = await addGateway('kyero', {});
    const token = await send(gatewayId);
    await until1(token, ({ error }) => error !== null);
    expect((await stored(token))?.error).toBe('there is no address to send it to: set "lead-email" of the gateway');
    await ingestor.testDatabase.query(`UPDATE outbox SET at = now() - interval '2 hours' WHERE message_id = $1`, [
      token,
    ]);
    const figures = await ingestor.database.figures.load({ everySeconds: 1800, overduePeriods: 3 });
    expect(figures.find(({ connector }) => connector === 'kyero')?.leads).toEqual({
      waiting: 1,
      oldestSeconds: expect.closeTo(7200, -2),
    });
    await ingestor.database.gateways.setSource(gatewayId, {
      ...storeSource({ url: ingestor.crm.url, settings: { 'lead-email': 'new@agence.example' } }, box),
      credentials: null,
    });
    await tryNow();
    await delivered(token);
    expect(of(token)[0]?.to).toEqual(['new@agence.example']);
  });

  it(`loses none of ${LEADS} leads and sends none twice while the mail server is away or refuses`, async () => {
    const gatewayId = await addGateway();
    await mail.stop();
    const tokens: string[] = [];
    while (tokens.length < LEADS)
      tokens.push(...(await Promise.all(Array.from({ length: 20 }, () => send(gatewayId)))));
    await until1(tokens.at(-1)!, ({ tries }) => tries > 0);
    expect((await stored(tokens[0]!))?.error).toMatch(/^the mail server does not answer \(/);
    expect((await stored(tokens[0]!))?.pause).toBeGreaterThanOrEqual(30);
    expect((await stored(tokens[0]!))?.pause).toBeLessThanOrEqual(33);
    await mail.start();
    mail.refusal = 451;
    await tryNow();
    await until1(tokens[0]!, ({ tries }) => tries > 1);
    // The server's message may name people, so the outbox contains only a code.
    await until1(tokens[0]!, ({ error }) => error === 'the mail server refuses it (451)');
    mail.refusal = null;
    await until(async () => {
      await tryNow();
      const [{ waiting } = { waiting: 1 }] = await ingestor.testDatabase.query<{ waiting: number }>(
        `SELECT count(*)::integer AS waiting FROM outbox WHERE state = 'pending' AND gateway_id = $1`,
        [gatewayId],
      );
      return waiting === 0;
    });
    const arrived = mail.mails.map(({ raw }) => /Message-ID: <(\S+)@/.exec(raw)?.[1]);
    expect([...arrived].sort()).toEqual([...tokens].sort());
  });

  it('sends OpenImmo feedback when the connector is OpenImmo', async () => {
    const token = await send(await addGateway('openimmo'), WRITTEN, 'OBJ-1');
    await delivered(token);
    const raw = of(token)[0]?.raw ?? mail.mails.at(-1)!.raw;
    const [, encoded = ''] = /filename=openimmo_feedback\.xml[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw) ?? [];
    const isBase64 = /openimmo_feedback\.xml[\s\S]{0,300}base64/.test(raw);
    const xml = isBase64 ? Buffer.from(encoded, 'base64').toString('utf8') : textOf(encoded);
    expect(xml).toContain(
      `<objekt><oobj_id>OBJ-1</oobj_id><expose_url>https://agence.example/annonces/a/</expose_url>` +
        `<vermarktungsart>Kauf</vermarktungsart><interessent><int_id>${token}</int_id><vorname>Anne-Claire</vorname>` +
        `<nachname>Martin</nachname><tel>+33 6 39 98 00 00</tel><email>claire@visiteur.example</email>` +
        `<bevorzugt>EMAIL</bevorzugt><wunsch>DETAIL</wunsch><anfrage>Bonjour &amp; à bientôt &lt;b&gt;</anfrage></interessent></objekt>`,
    );
  });

  describe('to onOffice', () => {
    const CREDENTIALS = { token: 't'.repeat(32), secret: 's'.repeat(64) };
    const answered = (status: object) => ({
      body: JSON.stringify({
        ...{ status: { code: 200, errorcode: 0, message: 'OK' } },
        response: { results: [{ actionid: 'do', status, data: { records: [] } }] },
      }),
      headers: { 'content-type': 'application/json' },
    });

    it('sends a signed request to the API', async () => {
      ingestor.crm.answer = answered({ errorcode: 0, message: 'OK' });
      const gatewayId = await addGateway('onoffice', {}, CREDENTIALS);
      const token = await send(gatewayId, WRITTEN, '4711');
      await delivered(token);
      expect((await stored(token))?.way).toBe('api');
      expect(of(token)).toEqual([]);
      const asked = JSON.parse(String(ingestor.crm.requests.at(-1)?.body)) as {
        token: string;
        request: { actions: Record<string, unknown>[] };
      };
      const [action] = asked.request.actions;
      const { hmac, timestamp, resourcetype, actionid } = action as Record<string, string>;
      expect({ resourcetype, actionid }).toEqual({
        ...{ resourcetype: 'contactaddress', actionid: 'urn:onoffice-de-ns:smart:2.5:smartml:action:do' },
      });
      expect(action?.['parameters']).toMatchObject({
        addressdata: {
          ...{
            Vorname: 'Anne-Claire',
            Name: 'Martin',
            Email: 'claire@visiteur.example',
            Telefon1: '+33 6 39 98 00 00',
          },
        },
        ...{ estateid: 4711, message: WRITTEN.message, referrer: WRITTEN.pageUrl },
      });
      const signed = `${timestamp}${asked.token}${resourcetype}${actionid}`;
      expect(hmac).toBe(createHmac('sha256', CREDENTIALS.secret).update(signed).digest('base64'));
    });

    it.each([
      ['refuses the lead', answered({ errorcode: 135, message: 'no such estate' }), /^onOffice refuses the request/],
      ['answers with status 502', { status: 502, body: '<html>' }, /^the API of the CRM answered 502$/],
      ['answers with HTML', { body: '<html>', headers: {} }, /no JSON/],
    ])('waits when the API %s', async (_, answer, reason) => {
      ingestor.crm.answer = answer;
      const token = await send(await addGateway('onoffice', {}, CREDENTIALS), WRITTEN, '4711');
      await until1(token, ({ error }) => error !== null);
      expect((await stored(token))?.error).toMatch(reason);
      expect((await stored(token))?.way).toBeNull();
    });
  });

  describe('to Apimo', () => {
    const CREDENTIALS = { provider: '4', token: 'secret-of-apimo' };
    const taken = { body: '{"id":1}', headers: { 'content-type': 'application/json' } };

    it('sends a request to the API, for the agency that has the listing', async () => {
      ingestor.crm.answer = taken;
      const gatewayId = await addGateway('apimo', {}, CREDENTIALS);
      await list(gatewayId, { affId: '500001', negoEmail: 'agent@agence.example' }, '77');
      const token = await send(gatewayId, WRITTEN, '500001');
      await delivered(token);
      expect((await stored(token))?.way).toBe('api');
      const { url, headers, body } = ingestor.crm.requests.at(-1)!;
      expect(url).toMatch(/\/agencies\/77\/leads$/);
      expect(headers['authorization']).toBe(`Basic ${Buffer.from('4:secret-of-apimo').toString('base64')}`);
      expect(JSON.parse(body)).toEqual({
        ...{
          reference: token,
          firstname: 'Anne-Claire',
          lastname: 'Martin',
          email: WRITTEN.email,
          phone: WRITTEN.phone,
        },
        ...{ language: 'fr', property: 500001, message: `${WRITTEN.message}\n\n${WRITTEN.pageUrl}` },
      });
      expect(of(token)).toEqual([]);
    });

    it('sends an e-mail to the agent when the API refuses', async () => {
      ingestor.crm.answer = { status: 403, body: '{"message":"Access denied"}' };
      const gatewayId = await addGateway('apimo', { agency: '77' }, CREDENTIALS);
      await list(gatewayId, { affId: '500002', negoEmail: 'agent@agence.example' });
      const token = await send(gatewayId, WRITTEN, '500002');
      await delivered(token);
      expect((await stored(token))?.way).toBe('email');
      expect(of(token).map(({ to }) => to)).toEqual([['agent@agence.example']]);
    });

    it('sends an e-mail when the API has not answered for an hour, and not before', async () => {
      ingestor.crm.answer = { status: 503, body: '' };
      const gatewayId = await addGateway('apimo', { agency: '77' }, CREDENTIALS);
      await list(gatewayId, { affId: '500003', negoEmail: 'agent@agence.example' });
      const token = await send(gatewayId, WRITTEN, '500003');
      await until1(token, ({ error }) => error === 'the API of the CRM answered 503');
      expect(of(token)).toEqual([]);
      await ingestor.testDatabase.query(
        `UPDATE outbox SET at = now() - interval '61 minutes', next_try_at = '-infinity' WHERE message_id = $1`,
        [token],
      );
      await delivered(token);
      expect((await stored(token))?.way).toBe('email');
      expect(of(token)).toHaveLength(1);
    });
  });

  it('removes delivered leads after their time, but no waiting leads', async () => {
    const gatewayId = await addGateway('kyero', {});
    const [waiting, gone, young] = [await send(gatewayId), await send(gatewayId), await send(gatewayId)];
    const age = (token: string, days: number) =>
      ingestor.testDatabase.query(
        `UPDATE outbox SET state = 'delivered', ended_at = now() - make_interval(days => $2), way = 'email', at = now() - interval '1 year'
         WHERE message_id = $1`,
        [token, days],
      );
    await ingestor.testDatabase.query(`UPDATE outbox SET at = now() - interval '1 year' WHERE message_id = $1`, [
      waiting,
    ]);
    await age(gone, RETENTION.leads.days + 1);
    await age(young, RETENTION.leads.days - 1);
    await ingestor.database.outbox.prune('lead', RETENTION.leads.days);
    expect(await stored(waiting)).toBeDefined();
    expect(await stored(young)).toBeDefined();
    expect(await stored(gone)).toBeUndefined();
  });

  it('seals waiting leads again with another SECRETS_KEY', async () => {
    const token = await send(await addGateway('kyero', {}));
    const next = new SecretBox('another-key-of-the-leads-of-this-test', SECRETS_KEY);
    const { unreadable } = await ingestor.database.outbox.reseal(next);
    expect(unreadable).toBe(0);
    const [row] = await ingestor.testDatabase.query<{ sealed: Buffer }>(
      'SELECT sealed FROM outbox WHERE message_id = $1',
      [token],
    );
    const opened = new SecretBox('another-key-of-the-leads-of-this-test').open(row!.sealed);
    expect(JSON.parse(opened)).toEqual(WRITTEN);
  });
});

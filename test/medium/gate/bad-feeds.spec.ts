import { IS_FULL_SIZE } from '../../support/full-size';
import { gzipSync } from 'node:zlib';
import type { Answer } from '../../support/feed-server';
import { anOffer, type FeedFormat, FORMATS } from './feeds';
import type { Offer } from '../../simulated/files/offer';
import { type GatewayRuns, startGatewayRuns } from './gateway-runs';

const OFFERS = Array.from({ length: 24 }, (_, n) => anOffer(n));
const PERCENTS = IS_FULL_SIZE ? Array.from({ length: 19 }, (_, n) => 5 * (n + 1)) : [5, 50, 95];
const HTML = '<!DOCTYPE html><html><head><title>502</title></head><body><h1>Bad gateway</h1></body></html>';
const LOGIN = '<html><body><form action="/login"><input name="user"></form></body></html>';

/** The given feed with a wrong number of records, if the format declares this number. */
function miscounted(whole: Buffer): [what: string, answer: Answer][] {
  const text = whole.toString('latin1');
  // The total of an API may lag. A total that is too low is acceptable, because the pages still prove their listings.
  const counts: [RegExp, number][] = [
    [/(Property Count\s*:\s*'?)24/, 20],
    [/(Property Count\s*:\s*'?|"(?:total_items|@odata\.count)":\s*)24/, 30],
  ];
  return counts.flatMap(([declared, count]): [string, Answer][] => {
    const other = text.replace(declared, `$1${count}`);
    return other === text ? [] : [[`a feed that declares ${count} records`, { body: Buffer.from(other, 'latin1') }]];
  });
}

/** The given feed with one more record, of a kind that the format does not have. */
function withUnknownRecord(whole: Buffer): [what: string, answer: Answer][] {
  const text = whole.toString('latin1');
  const other = text.startsWith('{')
    ? text.replace('{', '{"rental":[{"id":"9"}],')
    : text.replace(/<\/(?:root|anbieter|client)>/, '<new_build><id>9</id></new_build>$&');
  return other === text ? [] : [['a record of an unknown kind', { body: Buffer.from(other, 'latin1') }]];
}

/** Answers that must not change the served listings. */
function badAnswers({ write }: FeedFormat): [what: string, answer: Answer][] {
  const whole = write(OFFERS);
  const changed = (change: (offer: Offer) => Partial<Offer>): Buffer =>
    write(OFFERS.map((offer) => ({ ...offer, ...change(offer) })));
  return [
    ['an empty answer', { body: '' }],
    ['an answer that contains only blanks', { body: ' \r\n\r\n' }],
    ['a feed without listings', { body: write([]) }],
    ...PERCENTS.map((percent): [string, Answer] => [
      `${percent} % of the feed`,
      { body: whole.subarray(0, Math.floor((whole.length * percent) / 100)) },
    ]),
    ['the feed without its last 11 bytes', { body: whole.subarray(0, -11) }],
    ['an HTML page with status 200', { body: HTML, headers: { 'content-type': 'text/html' } }],
    ['a login page with status 200', { body: LOGIN, headers: { 'content-type': 'text/html' } }],
    ['a message in JSON', { body: '{"error":"maintenance"}', headers: { 'content-type': 'application/json' } }],
    ['meaningless bytes', { body: Buffer.from(whole.map((byte) => (byte * 7 + 13) % 256)) }],
    ['truncated gzip', { body: gzipSync(whole).subarray(0, -20), headers: { 'content-encoding': 'gzip' } }],
    [
      "another agency's feed",
      {
        body: write(
          OFFERS.map((offer) => ({ ...offer, id: `9${offer.id}` })),
          '90009',
        ),
      },
    ],
    ['a third of the listings', { body: write(OFFERS.slice(0, 8)) }],
    ['a feed with other identifiers', { body: changed(({ id }) => ({ id: `8${id}` })) }],
    ['a feed without prices', { body: changed(() => ({ price: 0 })) }],
    ['a feed without towns', { body: changed(() => ({ city: '' })) }],
    // `Niš`, encoded twice. The gateway does not repair this text, which may be correct.
    ['texts in a wrong encoding', { body: changed(({ city }) => ({ city: `${city} de NiÅ¡` })) }],
    ...miscounted(whole),
    ...withUnknownRecord(whole),
    ['a feed without photos', { body: changed(() => ({ photos: [] })) }],
    ['status 500', { status: 500, body: 'oops' }],
    ['status 404', { status: 404, body: HTML }],
    ['status 403', { status: 403 }],
  ];
}

/** One format of each kind (XML, JSON, rows); all formats at full size. */
const TRIED = FORMATS.filter(({ crm }) => IS_FULL_SIZE || ['kyero', 'apimo', 'poliris'].includes(crm));

describe.each(TRIED)('served bytes of $crm', (format) => {
  let gateway: GatewayRuns;
  let before: string;

  beforeAll(async () => {
    gateway = await startGatewayRuns(format);
    gateway.crm.answer = { body: format.write(OFFERS) };
    expect(await gateway.run()).toMatchObject({ state: 'published', added: OFFERS.length, rejected: 0 });
    before = await gateway.served();
  });
  afterAll(async () => {
    await gateway.close();
  });

  it.each(badAnswers(format))('stay unchanged after %s', async (_what, answer) => {
    gateway.crm.answer = answer;
    const { state, reason } = await gateway.run();
    expect({ state, reason }).toEqual({
      state: expect.stringMatching(/^(held|failed)$/),
      reason: expect.stringMatching(/\w{4}/),
    });
    expect(await gateway.served()).toBe(before);
  });
});

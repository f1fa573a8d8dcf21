import AdmZip from 'adm-zip';
import { aKyeroFeed, aProperty } from '../../support/kyero-feed';
import { writeIdealistaJson } from '../../simulated/files/idealista';
import { writeImmobiliareXml } from '../../simulated/files/immobiliare';
import { writeInmovillaXml } from '../../simulated/files/inmovilla';
import { writeIs24Xml } from '../../simulated/files/is24';
import { writeSwissretsJson } from '../../simulated/files/swissretsjson';
import { type Offer, OFFER_TEXT } from '../../simulated/files/offer';

/** The format of a CRM's feed, and how it writes offers. */
export interface FeedFormat {
  crm: string;
  credentials: Record<string, string>;
  /** The code of the agency. A feed with another code belongs to another agency. */
  write(offers: readonly Offer[], agency?: string): Buffer;
}

export function anOffer(n: number, change: Partial<Offer> = {}): Offer {
  return {
    ...{ id: `${1000 + n}`, price: 100_000 + 1_000 * n, city: `Ville ${n % 7}` },
    photos: [`https://photos.example.org/${n}/1.jpg`, `https://photos.example.org/${n}/2.jpg`],
    ...change,
  };
}

const kyero = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    aKyeroFeed(
      offers.map(({ id, price, city, photos }) =>
        aProperty(id, {
          ...{ price: price === 0 ? 'x' : String(price), town: city, desc: `<fr>${OFFER_TEXT}</fr>` },
          images: photos.map((url, n) => `<image id="${n + 1}"><url>${url}</url></image>`).join(''),
        }).replace(
          /<images><image id="1"><url>https:\/\/photos\.example\.org\/\d+\/1\.jpg<\/url><\/image><\/images><\/property>$/,
          '</property>',
        ),
      ),
    ),
  );

const ubiflow = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<client>\n${offers
      .map(
        ({ id, price, city, photos }) =>
          ` <annonce id="${id}"><reference>R${id}</reference><titre>Maison</titre><texte>${OFFER_TEXT}</texte>` +
          `<bien><code_type>1213</code_type><ville>${city}</ville><code_postal>06400</code_postal></bien>` +
          `<prestation><type>V</type>${price === 0 ? '' : `<prix>${price}</prix>`}</prestation>` +
          `<photos>${photos.map((url) => `<photo>${url}</photo>`).join('')}</photos></annonce>\n`,
      )
      .join('')}</client>\n`,
  );

const openimmo = (offers: readonly Offer[], agency = 'AN-1'): Buffer =>
  zipped(
    'transfer.xml',
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<openimmo>\n<uebertragung art="ONLINE" umfang="VOLL" version="1.2.7"/>\n` +
        `<anbieter><firma>Makler</firma><openimmo_anid>${agency}</openimmo_anid>\n${offers
          .map(
            ({ id, price, city, photos }) =>
              `<immobilie><objektkategorie><vermarktungsart KAUF="true"/><objektart><haus haustyp="VILLA"/></objektart></objektkategorie>` +
              `<geo><plz>01067</plz><ort>${city}</ort><land iso_land="DEU"/></geo>` +
              `<preise>${price === 0 ? '' : `<kaufpreis>${price}</kaufpreis>`}</preise>` +
              `<freitexte><objekttitel>Haus</objekttitel><objektbeschreibung>${OFFER_TEXT}</objektbeschreibung></freitexte>` +
              `<anhaenge>${photos.map((url) => `<anhang location="REMOTE" gruppe="BILD"><format>jpg</format><daten><pfad>${url}</pfad></daten></anhang>`).join('')}</anhaenge>` +
              `<verwaltung_techn><openimmo_obid>OB-${id}</openimmo_obid><objektnr_extern>${id}</objektnr_extern></verwaltung_techn></immobilie>\n`,
          )
          .join('')}</anbieter>\n</openimmo>\n`,
    ),
  );

const swissrets = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?>\n<export>\n<created>2026-03-01T08:00:00</created>\n<properties>\n${offers
      .map(
        ({ id, price, city, photos }) =>
          `<property id="${id}"><visualReferenceId>R${id}</visualReferenceId><referenceId>${id}</referenceId>` +
          `<availability>active</availability><type>buy</type><address><countryCode>CH</countryCode><locality>${city}</locality><postalCode>1009</postalCode></address>` +
          `<categories><category>house</category></categories><prices currency="CHF">${price === 0 ? '' : `<buy><price>${price}</price></buy>`}</prices>` +
          `<localizations><localization lang="fr"><name>Maison</name><description>${OFFER_TEXT}</description><attachments>` +
          `${photos.map((url) => `<image><url>${url}</url></image>`).join('')}</attachments></localization></localizations></property>\n`,
      )
      .join('')}</properties>\n</export>\n`,
  );

const BLM_COLUMNS =
  'AGENT_REF^TOWN^SUMMARY^DESCRIPTION^BRANCH_ID^STATUS_ID^BEDROOMS^PRICE^PROP_SUB_ID^DISPLAY_ADDRESS^PUBLISHED_FLAG^TRANS_TYPE_ID^MEDIA_IMAGE_00^MEDIA_IMAGE_01^';

const blm = (offers: readonly Offer[], agency = '70001'): Buffer =>
  Buffer.from(
    `#HEADER#\r\nVersion : 3\r\nEOF : '^'\r\nEOR : '~'\r\nProperty Count : ${offers.length}\r\n\r\n#DEFINITION#\r\n${BLM_COLUMNS}~\r\n\r\n#DATA#\r\n${offers
      .map(
        ({ id, price, city, photos: [first = '', second = ''] }) =>
          `${agency}_${id}^${city}^${OFFER_TEXT}^${OFFER_TEXT}^${agency}^0^3^${price}^3^Quay Row^1^1^${first}^${second}^~\r\n`,
      )
      .join('')}#END#\r\n`,
  );

const poliris = (offers: readonly Offer[], agency = 'DEMO1'): Buffer =>
  zipped(
    'Annonces.csv',
    Buffer.from(
      offers
        .map(({ id, price, city, photos }) => {
          const cells = Array.from({ length: 334 }, () => '');
          const set = {
            1: agency,
            2: `R${id}`,
            3: 'Vente',
            4: 'Maison',
            5: '06400',
            6: city,
            11: price === 0 ? '' : String(price),
            20: 'Maison',
            21: OFFER_TEXT,
            175: id,
          };
          for (const [rank, value] of Object.entries(set)) cells[Number(rank) - 1] = value;
          photos.forEach((url, n) => (cells[84 + n] = url));
          return `${cells.map((cell) => `"${cell}"`).join('!#')}\r\n`;
        })
        .join(''),
    ),
  );

const idx = (offers: readonly Offer[], agency = 'ag01'): Buffer =>
  Buffer.from(
    offers
      .map(({ id, price, city, photos: [first = '', second = ''] }) => {
        const cells = Array.from({ length: 183 }, () => '');
        const set = {
          0: 'IDX3.01',
          1: 'Essais',
          2: 'HOUSE',
          3: '1',
          4: 'SALE',
          5: id,
          9: '1009',
          10: city,
          12: 'CH',
          16: 'Maison',
          17: OFFER_TEXT,
        };
        const more = {
          18: price === 0 ? '' : String(price),
          22: 'CHF',
          46: first,
          47: second,
          68: agency,
          69: 'Régie',
          75: 'CH',
          177: '01.03.2026',
        };
        for (const [cell, value] of Object.entries({ ...set, ...more })) cells[Number(cell)] = value;
        return `${cells.join('#')}\r\n`;
      })
      .join(''),
    'latin1',
  );

const apimo = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      total_items: offers.length,
      timestamp: 1_772_000_000,
      properties: offers.map(({ id, price, city, photos }) => ({
        ...{ id: Number(id), reference: `R${id}`, agency: 7, step: 1, status: 1, category: 1, type: 2, country: 'FR' },
        ...{ city: { id: 1, name: city, zipcode: '06400' }, price: { value: price, currency: 'EUR', hide: false } },
        comments: [{ language: 'fr', title: 'Maison', comment: OFFER_TEXT }],
        pictures: photos.map((url, n) => ({ id: n, rank: n + 1, url, internet: true })),
      })),
    }),
  );

const reso = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      '@odata.count': offers.length,
      value: offers.map(({ id, price, city, photos }) => ({
        ...{ ListingKey: `K${id}`, ListingId: id, StandardStatus: 'Active', PropertyType: 'Residential' },
        ...{ PropertySubType: 'Single Family Residence', City: city, PostalCode: '01067', Country: 'US' },
        ...{
          ListPrice: price === 0 ? null : price,
          PublicRemarks: OFFER_TEXT,
          ModificationTimestamp: '2026-03-01T10:00:00Z',
        },
        Media: photos.map((MediaURL, Order) => ({ MediaURL, Order, MediaCategory: 'Photo' })),
      })),
    }),
  );

const netty = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      count: offers.length,
      data: offers.map(({ id, price, city, photos }) => ({
        ...{
          product_ref: Number(id),
          state: 1,
          archived: false,
          deleted: false,
          product_type: 2,
          product_offer_type: 1,
        },
        ...{ title: 'Maison', details: OFFER_TEXT, price, city, postal_code: '06400', images_public: photos },
        time_modified: '2026-03-01T10:00:00Z',
      })),
    }),
  );

const whise = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      totalCount: offers.length,
      estates: offers.map(({ id, price, city, photos }) => ({
        ...{ id: Number(id), referenceNumber: `R${id}`, name: 'Maison', price, city, zip: '1000', country: { id: 1 } },
        ...{ category: { id: 1 }, purpose: { id: 1 }, purposeStatus: { id: 1 }, status: { id: 1 }, displayStatusId: 2 },
        shortDescription: [{ languageId: 'fr-BE', content: OFFER_TEXT }],
        pictures: photos.map((urlLarge, order) => ({ id: order, order, urlLarge })),
      })),
    }),
  );

function zipped(name: string, bytes: Buffer): Buffer {
  const zip = new AdmZip();
  zip.addFile(name, bytes);
  return zip.toBuffer();
}

/** Every format, as one feed of one agency. */
export const FORMATS: readonly FeedFormat[] = [
  { crm: 'kyero', credentials: {}, write: kyero },
  { crm: 'ubiflow', credentials: {}, write: ubiflow },
  { crm: 'inmovilla', credentials: {}, write: writeInmovillaXml },
  { crm: 'immobiliare', credentials: {}, write: writeImmobiliareXml },
  { crm: 'is24', credentials: {}, write: writeIs24Xml },
  { crm: 'idealista', credentials: {}, write: writeIdealistaJson },
  { crm: 'openimmo', credentials: {}, write: openimmo },
  { crm: 'swissrets', credentials: {}, write: swissrets },
  { crm: 'swissretsjson', credentials: {}, write: writeSwissretsJson },
  { crm: 'blm', credentials: {}, write: blm },
  { crm: 'poliris', credentials: {}, write: poliris },
  { crm: 'idx', credentials: {}, write: idx },
  { crm: 'apimo', credentials: { provider: '1', token: 't' }, write: apimo },
  { crm: 'reso', credentials: { token: 't' }, write: reso },
  { crm: 'netty', credentials: { 'api-key': 'k' }, write: netty },
  { crm: 'whise', credentials: { token: 't' }, write: whise },
];

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import AdmZip from 'adm-zip';
import iconv from 'iconv-lite';
import { openSource } from '../../tools/try/source';
import { type FeedTrial, tryFeed } from '../../tools/try/trial';
import { anOffer, FORMATS } from '../medium/gate/feeds';

/** What every encoding of these has: the rest is for those that know it. */
const LATIN = 'Été à Genève : façade ocre, naïf Straße ü';
const WESTERN = `${LATIN} – l’œuvre à 5 €`;

const OFFERS = [anOffer(1, { city: 'Sète' }), anOffer(2, { city: 'Besançon' }), anOffer(3, { city: 'Zürich' })];

interface Case {
  declared: string | null;
  encoding: string;
  bom?: boolean;
  text: string;
}

const XML_CASES: Case[] = [
  { declared: 'UTF-8', encoding: 'utf8', text: WESTERN },
  { declared: 'UTF-8', encoding: 'utf8', bom: true, text: WESTERN },
  { declared: null, encoding: 'utf8', text: WESTERN },
  { declared: 'ISO-8859-1', encoding: 'iso-8859-1', text: LATIN },
  { declared: 'ISO-8859-15', encoding: 'iso-8859-15', text: `${LATIN} à 5 €, œuvre` },
  { declared: 'windows-1252', encoding: 'windows-1252', text: WESTERN },
  { declared: 'UTF-16', encoding: 'utf-16le', bom: true, text: WESTERN },
  { declared: 'UTF-16', encoding: 'utf-16be', bom: true, text: WESTERN },
  { declared: 'UTF-16', encoding: 'utf-16le', text: WESTERN },
  { declared: 'UTF-16', encoding: 'utf-16be', text: WESTERN },
  { declared: null, encoding: 'utf-16le', bom: true, text: WESTERN },
  // What they declare is wrong.
  { declared: 'UTF-8', encoding: 'iso-8859-1', text: LATIN },
  { declared: 'UTF-8', encoding: 'windows-1252', text: WESTERN },
  { declared: 'ISO-8859-1', encoding: 'windows-1252', text: WESTERN },
  { declared: 'ISO-8859-1', encoding: 'utf8', text: WESTERN },
  { declared: 'ISO-8859-1', encoding: 'utf8', bom: true, text: WESTERN },
  { declared: 'windows-1252', encoding: 'utf8', text: WESTERN },
  { declared: 'UTF-16', encoding: 'utf8', text: WESTERN },
  { declared: 'UTF-8', encoding: 'utf-16le', bom: true, text: WESTERN },
  { declared: null, encoding: 'windows-1252', text: WESTERN },
  { declared: 'x-unknown', encoding: 'utf8', text: WESTERN },
];

const TEXT_CASES: Case[] = [
  { declared: null, encoding: 'utf8', text: WESTERN },
  { declared: null, encoding: 'utf8', bom: true, text: WESTERN },
  { declared: null, encoding: 'iso-8859-1', text: LATIN },
  { declared: null, encoding: 'windows-1252', text: WESTERN },
  { declared: null, encoding: 'utf-16le', bom: true, text: WESTERN },
  { declared: null, encoding: 'utf-16be', bom: true, text: WESTERN },
  { declared: null, encoding: 'utf-16le', text: WESTERN },
];

const PLAIN = 'Une maison avec un jardin, calme et claire.';
const nameOf = ({ declared, encoding, bom }: Case): string =>
  `${encoding}${bom === true ? ' with a mark' : ''} that ${declared === null ? 'declares nothing' : `declares ${declared}`}`;

// Real: the connectors and the engine, over files.
describe('the same feed in any encoding', () => {
  let registry: ConnectorRegistry;
  const folder = mkdtempSync(join(tmpdir(), 'encodings-'));
  beforeAll(async () => {
    registry = await loadRegistry();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function tried(crm: string, bytes: Buffer): Promise<FeedTrial> {
    const connector = registry.get(crm);
    if (connector === undefined) throw new Error(`no connector ${crm}`);
    const path = join(folder, `${crm}-${Math.random()}`);
    writeFileSync(path, bytes);
    // A young file might still be growing, and would be looked at twice.
    utimesSync(path, 0, 0);
    return tryFeed(connector, { ...openSource(connector, path, {}), settings: {}, credentials: {} });
  }

  async function expectSameListings(crm: string, { declared, encoding, bom = false, text }: Case): Promise<void> {
    const format = FORMATS.find((known) => known.crm === crm);
    const plain = plainFeed(crm, format?.write(OFFERS) ?? Buffer.alloc(0)).replaceAll(PLAIN, text);
    const expected = await tried(crm, Buffer.from(declaring(plain, 'UTF-8')));
    const bytes = iconv.encode(declaring(plain, declared), encoding, { addBOM: bom });
    const { listings, error, incomplete, rejections } = await tried(crm, bytes);
    expect({ error, incomplete, rejections, listings }).toEqual({
      ...{ error: null, incomplete: null, rejections: [] },
      listings: expected.listings,
    });
    expect(listings.map(({ listing }) => [listing.commentaires, listing.ville])).toEqual(
      OFFERS.map(({ city }) => [text, city]),
    );
  }

  describe.each(['kyero', 'ubiflow', 'swissrets', 'openimmo'])('%s', (crm) => {
    it.each(XML_CASES.map((one): [string, Case] => [nameOf(one), one]))(
      'comes out the same from %s',
      async (_name, one) => {
        await expectSameListings(crm, one);
      },
    );
  });

  describe.each(['poliris', 'blm', 'idx'])('%s', (crm) => {
    it.each(TEXT_CASES.map((one): [string, Case] => [nameOf(one), one]))(
      'comes out the same from %s',
      async (_name, one) => {
        await expectSameListings(crm, one);
      },
    );
  });
});

/** The document itself, where the format comes in a ZIP. */
function plainFeed(crm: string, bytes: Buffer): string {
  if (crm === 'idx') return bytes.toString('latin1');
  if (bytes.subarray(0, 2).toString() !== 'PK') return bytes.toString();

  return new AdmZip(bytes).getEntries()[0]?.getData().toString() ?? '';
}

function declaring(text: string, encoding: string | null): string {
  if (!text.startsWith('<?xml')) return text;
  return text.replace(/^<\?xml[^>]*\?>\n/, encoding === null ? '' : `<?xml version="1.0" encoding="${encoding}"?>\n`);
}

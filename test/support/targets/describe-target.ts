import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FIELD_DEFINITIONS, type Listing, LISTING_FIELDS, type ListingField } from '@passerelle/domain';
import type { ExportContext, ExportItem, PlacementConfig, Target } from '../../../libs/exporters/src/kit/contracts';
import { FILE_CREDENTIALS, FILE_SETTINGS } from '../../../libs/exporters/src/kit/define-target';
import { fixtureListings } from './fixture-listings';
import { fullListing, photo } from './full-listing';
import { contextFor, documentOf, itemOf } from './placements';

/** `UPDATE_FIXTURES=1` overwrites the expected document with the actual one. Check the difference before you commit it. */
const UPDATES_FIXTURES = process.env['UPDATE_FIXTURES'] === '1';
const CANARY = 'PRIVATE-7f3a';

/** Texts that break careless writers: separators of all formats, markup, entities, control characters, half characters. */
const HOSTILE_TEXTS = [
  '"!#"',
  'a"!#"b!#c\r\nd',
  '^~|#END#',
  '</root>]]><script>alert(1)</script>',
  '<![CDATA[ &amp; &eacute; &#0; ',
  '{"a": "\\"} \\u0000',
  '\u0000\u0001\u000b\u001f\u007f\u0085\ufffe\uffff',
  'half \ud83d and \ude00 alone',
  '🏡 emoji, œuvre, 200 €, ’quotes’ “double” – dash… Łódź 東京',
  '   ',
  '=HYPERLINK("http://x")',
  `${'é'.repeat(300)} ${'long '.repeat(2000)}`,
];

type Changes = NonNullable<Parameters<typeof fullListing>[0]>;

export interface TargetSuite {
  /** The target shows the position as the listing has it, because addresses of the format have always shown it. */
  showsPositionOfListing?: true;
  fixturesDir: string;
  /** Reads a document with a parser that knows nothing of the target. @returns the adverts' ids. @throws when it is not well-formed */
  read: (document: Buffer, context: ExportContext) => string[] | Promise<string[]>;
  /** The id of an advert in the format. Default: the item's. */
  idOf?: (item: ExportItem) => string;
  /** A placement with the settings that a usual placement has. */
  placement?: Partial<PlacementConfig>;
  /** Fields of `fields` that only matter together with others: a change of one alone is not seen in the full listing. */
  onlyWith?: Partial<Record<ListingField, Changes>>;
}

/** The standard suite of every target, which each spec calls in one line. */
export function describeTarget(target: Target, suite: TargetSuite): void {
  const { fixturesDir, placement = {}, idOf = (item) => item.advertId } = suite;
  const context = contextFor(target, placement);
  const listings = fixtureListings();
  const advert = (listing: Listing): string => target.advert(itemOf(listing), context);

  describe(`${target.code}: standard suite`, () => {
    it('has a README that names each of its credentials and settings', () => {
      const readme = readFileSync(join(dirname(fixturesDir), 'README.md'), 'utf8');
      const shared = new Set([...Object.values(FILE_CREDENTIALS), ...Object.values(FILE_SETTINGS)]);
      for (const [name, sentence] of Object.entries({ ...target.credentials, ...target.settings })) {
        if (!shared.has(sentence)) expect(readme).toContain(`\`${name}\``);
      }
    });

    it('writes the adverts of its fixture as expected', () => {
      const { listings: own } = JSON.parse(readFileSync(join(fixturesDir, 'listings.json'), 'utf8')) as {
        listings: Listing[];
      };
      const items = own.map(itemOf);
      const got =
        target.transport === 'api'
          ? items.map((item) => `${target.advert(item, context)}\n`).join('')
          : documentOf(target, items, context).toString(encodingOf(target, context));
      const expectedFile = join(fixturesDir, 'expected.txt');
      if (UPDATES_FIXTURES || !existsSync(expectedFile)) writeFileSync(expectedFile, got);
      expect(got).toBe(readFileSync(expectedFile, 'utf8'));
      for (const item of items) expect([item.advertId, target.shortfalls(item, context)]).toEqual([item.advertId, []]);
    });

    it('gives equal texts for equal listings, and changes no listing', () => {
      for (const listing of listings) {
        const copy = deepFrozen(structuredClone(listing));
        expect(advert(copy)).toBe(advert(listing));
        expect(target.shortfalls(itemOf(copy), context)).toEqual(target.shortfalls(itemOf(listing), context));
      }
    });

    it('names real fields and short sentences in its shortfalls', () => {
      const found = listings
        .concat({ affId: '1', passerelleName: 'demo', photos: [] })
        .flatMap((listing) => [...target.shortfalls(itemOf(listing), context)]);
      for (const { field, need } of found) {
        expect(LISTING_FIELDS).toContain(field);
        expect(need).toMatch(/^(?:is|needs|must|has)\b[^\n]{1,120}[^.\s]$/);
      }
    });

    it('writes a well-formed document of all fixtures', async () => {
      const ready = listings.map(itemOf);
      expect(await readBack(ready)).toEqual(ready.map(idOf));
    });

    it.each(HOSTILE_TEXTS)('writes a well-formed document with the text %j in every field', async (text) => {
      const items = [hostileListing(text), fullListing({ affId: 'after' })].map(itemOf);
      expect(await readBack(items)).toEqual(items.map(idOf));
    });

    it('writes at most as many photos as it says', () => {
      const many = Array.from({ length: target.maxPhotos + 7 }, (_, at) => photo(`p${at}`));
      const text = advert(fullListing({ photos: many, plans: undefined, documents: undefined }));
      const written = many.filter(({ url }) => text.includes(url.replace('https://photos.example/', '')));
      expect(written.length).toBe(target.maxPhotos);
      expect(written).toEqual(many.slice(0, target.maxPhotos));
    });

    it('shows no address and no exact position that the listing hides', () => {
      const position =
        suite.showsPositionOfListing === true ? ([46.12, 5.99] as const) : ([46.123456, 5.987654] as const);
      const hidden = advert(fullListing({ adresse: undefined, latitude: position[0], longitude: position[1] }));
      expect(hidden).not.toContain('adresse 0');
      expect(hidden).not.toMatch(/46\.12\d|5\.98\d/);
    });

    it('never writes what is no field of a listing, nor a credential', () => {
      const listing = {
        ...fullListing(),
        ...{ vendeurNom: CANARY, commentairePrive: CANARY, raw: { secret: CANARY } },
        photos: [Object.assign(photo('1'), { source: CANARY })],
      };
      const names = Object.keys(target.credentials);
      const secretive = contextFor(target, {
        ...placement,
        credentials: Object.fromEntries(names.map((name) => [name, CANARY])),
      });
      const written =
        target.transport === 'api'
          ? target.advert(itemOf(listing), secretive)
          : documentOf(target, [itemOf(listing)], secretive).toString('latin1');
      expect(written).not.toContain(CANARY);
    });

    it('declares exactly the fields that its adverts depend on', () => {
      const isSeen = (field: ListingField): boolean =>
        sampleListings(suite.onlyWith?.[field]).some((listing) => {
          const { [field]: value, ...without } = listing;
          if (value === undefined || field === 'affId') return field === 'affId';
          if (field === 'photos' || field === 'passerelleName')
            return advert({ ...listing, [field]: otherValue(field) }) !== advert(listing);
          return advert(without as Listing) !== advert(listing);
        });
      const seen = LISTING_FIELDS.filter(isSeen);
      const declared = LISTING_FIELDS.filter((field) => target.fields.includes(field));
      expect({ seen }).toEqual({ seen: declared });
    });
  });

  async function readBack(items: readonly ExportItem[]): Promise<string[]> {
    if (target.transport === 'api') {
      const ids: string[] = [];
      for (const item of items) ids.push(...(await suite.read(Buffer.from(target.advert(item, context)), context)));
      return ids;
    }
    return suite.read(documentOf(target, items, context), context);
  }

  function sampleListings(also: Changes = {}): Listing[] {
    const kinds = (['vente', 'location', 'location-saisonniere', 'viager'] as const).map((typeTransaction) =>
      fullListing({ typeTransaction }),
    );
    const shape = { typeTransaction: 'location' as const, loyerChargesComprises: undefined };
    return [fullListing(also), ...kinds, fullListing(shape), fullListing({ typeTransaction: undefined }), ...listings];
  }
}

function otherValue(field: 'photos' | 'passerelleName'): Listing['photos'] | string {
  return field === 'photos' ? [photo('other')] : 'other';
}

function encodingOf(target: Target, context: ExportContext): BufferEncoding {
  if (target.transport === 'api') return 'utf-8';
  return target.document.encodingIn?.(context) ?? target.document.encoding;
}

/** Every field that holds free text has the text. */
function hostileListing(text: string): Listing {
  const hostile = fullListing({
    affId: 'hostile',
    textes: { en: { intitule: text, commentaires: text } },
    photos: [{ ...photo('1'), legende: text }],
    caracteristiques: [text, text],
    mentions: [{ code: 'x', pays: 'FR', langue: 'fr', texte: text, source: text }],
  });
  for (const field of LISTING_FIELDS) {
    const isText = FIELD_DEFINITIONS[field].kind === 'text';
    if (isText && !NOT_FREE.has(field)) Reflect.set(hostile, field, text);
  }
  return hostile;
}

const NOT_FREE: ReadonlySet<ListingField> = new Set<ListingField>(['affId', 'passerelleName', 'prixCurrency', 'pays']);

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}

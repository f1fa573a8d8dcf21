import type { ListingField } from '@passerelle/domain';
import { fullListing } from '../../../../test/support/targets/full-listing';
import { contextFor, itemOf } from '../../../../test/support/targets/placements';
import type { ExportContext, Shortfall } from './contracts';
import { contactOf } from './settings';
import { defineTarget } from './define-target';
import { textsByLanguage, textsFor } from './languages';
import { toLatin1 } from './latin1';
import { photoAddress, photoExtension } from './photo-address';
import { positionOf } from './place';
import { createTargets } from './registry';
import * as r from './requirements';
import { cutText, decimal, fittingId, frenchDay, withoutTags } from './text';
import { element, emptyElement, group } from './xml';

const DECLARATION = {
  ...{
    code: 'demo',
    label: 'Demo',
    transport: 'address',
    notes: 'The portal wants an address.',
    contentType: 'text/plain',
  },
  ...{ absenceRemoves: true, acknowledges: false, maxPhotos: 3, required: [r.required('ville')] },
  fields: ['affId', 'ville'],
  advert: () => '',
  document: {
    encoding: 'utf-8',
    start: () => '',
    separator: '',
    end: () => '',
    file: () => ({ kind: 'plain', name: 'a' }),
  },
} satisfies Parameters<typeof defineTarget>[0];
const target = defineTarget(DECLARATION);
const context: ExportContext = contextFor(target);

describe('defineTarget', () => {
  it.each<[string, object, string]>([
    ['a bad code', { code: 'Démo' }, 'a code is'],
    ['an empty label', { label: ' ' }, 'a label is'],
    ['no notes', { notes: '' }, 'notes must say'],
    ['a country in words', { country: 'France' }, 'a country is'],
    ['a broken version', { version: 1.5 }, 'a version is'],
    ['a negative number of photos', { maxPhotos: -1 }, 'maxPhotos is'],
    ['no fields', { fields: [] }, 'fields must name'],
    ['an unknown field', { fields: ['titel'] }, '"titel" is not a field'],
    ['a repeated field', { fields: ['ville', 'ville'] }, 'named twice'],
    ['a bad name', { settings: { 'Bad Name': 'x' } }, 'the setting "Bad Name"'],
    ['a credential without a sentence', { credentials: { key: ' ' } }, 'the credential "key" needs'],
    ['an undeclared credential', { requiredCredentials: ['key'] }, 'the required credential "key"'],
    ['an undeclared setting', { requiredSettings: ['code'] }, 'the required setting "code"'],
    ['values of no setting', { choices: { code: ['a', 'b'] } }, 'the setting "code" has values'],
    ['one value', { settings: { code: 'A code.' }, choices: { code: ['a'] } }, 'needs at least two'],
  ])('refuses %s', (_title, change, message) => {
    expect(() => defineTarget({ ...DECLARATION, ...change })).toThrow(message);
  });

  it('adds defaults, and the login of the upload to files only', () => {
    expect(target).toMatchObject({ version: 1, credentials: {}, requiredCredentials: [], settings: {} });
    const file = defineTarget({ ...DECLARATION, transport: 'file' });
    expect([Object.keys(file.credentials), file.requiredCredentials, Object.keys(file.settings)]).toEqual([
      ['url', 'user', 'password', 'private-key', 'passphrase'],
      ['url'],
      ['host-key'],
    ]);
  });
});

describe('createTargets', () => {
  it('loads every folder, by code', () => {
    const targets = createTargets();
    expect([...targets.keys()]).toContain('poliris');
    for (const [code, one] of targets) expect(one.code).toBe(code);
  });
});

describe('requirement', () => {
  const found = (requirement: r.Requirement, changes: Parameters<typeof fullListing>[0], language = 'fr'): string[] => {
    const shortfalls: readonly Shortfall[] = requirement(
      itemOf(fullListing(changes)),
      contextFor(target, { language }),
    );
    return shortfalls.map(({ field, need }) => `${field} ${need}`);
  };

  it.each<[string, r.Requirement, Parameters<typeof fullListing>[0], string[]]>([
    ['required', r.required('ville', 'pays'), { pays: undefined }, ['pays is required']],
    ['required, of photos', r.required('photos'), { photos: [] }, ['photos is required']],
    ['oneRequired', r.oneRequired('prix', 'loyer'), { prix: undefined }, []],
    [
      'oneRequired',
      r.oneRequired('prix', 'loyer'),
      { prix: undefined, loyer: undefined },
      ['prix is required, or loyer'],
    ],
    ['priced, of a sale', r.priced(), { prix: undefined }, ['prix is required']],
    ['priced, of a rental', r.priced(), { typeTransaction: 'location', loyer: undefined }, ['loyer is required']],
    ['among', r.among('pays', ['ES'], 'must be ES'), {}, ['pays must be ES']],
    ['among, of an absent value', r.among('pays', ['ES'], 'must be ES'), { pays: undefined }, []],
    ['photos', r.photos(1), { photos: [] }, ['photos needs at least 1 photo']],
    ['photos', r.photos(4), {}, ['photos needs at least 4 photos']],
    [
      'atLeast',
      r.atLeast('surfaceHabitable', 20, 'm²'),
      { surfaceHabitable: 19 },
      ['surfaceHabitable needs at least 20 m²'],
    ],
    ['atLeast, of an absent value', r.atLeast('prix', 1), { prix: undefined }, ['prix needs at least 1']],
    [
      'matching',
      r.matching('codePostal', /^\d{5}$/, 'must have five digits'),
      { codePostal: '75' },
      ['codePostal must have five digits'],
    ],
    [
      'atMostCharacters',
      r.atMostCharacters('affNum', 3),
      { affNum: 'A-12' },
      ['affNum must have at most 3 characters'],
    ],
    ['onTheMarket', r.onTheMarket(), { statut: 'loue' }, ['statut must not be sold or let']],
    ['onTheMarket, of one under offer', r.onTheMarket(), { statut: 'sous-offre' }, []],
    ['when', r.when(({ pays }) => pays === 'ES', r.required('region')), { region: undefined }, []],
  ])('%s', (_title, requirement, changes, expected) => {
    expect(found(requirement, changes)).toEqual(expected);
  });

  it('textOf counts the text in the language of the placement', () => {
    const texts = { commentaires: 'x'.repeat(200), textes: { en: { commentaires: 'short' } } };
    expect(found(r.textOf('commentaires', 160), texts)).toEqual([]);
    expect(found(r.textOf('commentaires', 160), texts, 'en')).toEqual(['commentaires needs at least 160 characters']);
    expect(found(r.textOf('intitule'), { intitule: undefined, textes: undefined })).toEqual(['intitule is required']);
  });

  it('shortfallsOf names each shortfall once', () => {
    const twice = r.shortfallsOf(
      [r.required('pays'), r.required('pays')],
      itemOf(fullListing({ pays: undefined })),
      context,
    );
    expect(twice).toEqual([{ field: 'pays' satisfies ListingField, need: 'is required' }]);
  });
});

describe('photo address', () => {
  const at = (url: string): string => photoAddress({ url, empreinte: '00ff00ff00ff00ff' });

  it.each([
    ['https://a.example/1.jpg', 'https://a.example/1.jpg?v=00ff00ff00ff00ff'],
    ['https://a.example/1.jpg?size=2', 'https://a.example/1.jpg?size=2&v=00ff00ff00ff00ff'],
    ['https://a.example/1.jpg#top', 'https://a.example/1.jpg?v=00ff00ff00ff00ff#top'],
    [
      'https://a.example/1.jpg?X-Amz-Signature=f&X-Amz-Date=1',
      'https://a.example/1.jpg?X-Amz-Signature=f&X-Amz-Date=1',
    ],
    ['https://a.example/1.jpg?sig=abc&se=2', 'https://a.example/1.jpg?sig=abc&se=2'],
  ])('of %s changes when the photo does', (url, expected) => {
    expect(at(url)).toBe(expected);
  });

  it.each([
    ['https://a.example/1.JPEG?x=.png', '.jpg'],
    ['https://a.example/1.png', '.png'],
    ['https://a.example/image/7', '.jpg'],
  ])('of %s has a file ending', (url, expected) => {
    expect(photoExtension(url)).toBe(expected);
  });
});

describe('position', () => {
  it('has two decimals without an address', () => {
    const exact = { latitude: 46.123456, longitude: 5.987654 };
    expect(positionOf(fullListing(exact))).toEqual({ ...exact, isExact: true });
    expect(positionOf(fullListing({ ...exact, adresse: undefined }))).toEqual({
      latitude: 46.12,
      longitude: 5.99,
      isExact: false,
    });
    expect(positionOf(fullListing({ latitude: 46.12, longitude: 5.99 }))?.isExact).toBe(false);
    expect(positionOf(fullListing({ latitude: undefined }))).toBeUndefined();
  });
});

describe('texts', () => {
  const listing = fullListing({
    langue: 'de',
    intitule: 'Haus',
    commentaires: 'Ruhig',
    textes: { en: { intitule: 'House' } },
  });

  it('are those of the language, else those of the listing', () => {
    expect(textsFor(listing, 'en')).toEqual({ intitule: 'House', commentaires: 'Ruhig', language: 'en' });
    expect(textsFor(listing, 'fr')).toEqual({ intitule: 'Haus', commentaires: 'Ruhig', language: 'de' });
    expect(textsByLanguage(listing, 'fr')).toEqual([
      ['de', { intitule: 'Haus', commentaires: 'Ruhig' }],
      ['en', { intitule: 'House' }],
    ]);
  });

  it('are cut between words, and never inside a character', () => {
    expect(cutText('one two three', 11)).toBe('one two');
    expect(cutText('a verylongword', 11)).toBe('a verylongw');
    expect(cutText('a fairly long title', 18)).toBe('a fairly long');
    expect(cutText('🏡🏡🏡', 2)).toBe('🏡🏡');
  });

  it('keep no tag, and lose no sign', () => {
    expect(withoutTags('a < b <script> </p> <!-- 3<4')).toBe('a < b < script> < /p> < !-- 3<4');
  });

  it('have only characters of ISO 8859-1', () => {
    expect(toLatin1('L’œuvre… 200€ – Łódź Ş 東')).toBe("L'oeuvre... 200 euros - Lódz S ");
    expect(toLatin1('déjà  vu')).toBe('déjà  vu');
  });
});

describe('identifier', () => {
  it('of an allowed form and length stays as it is', () => {
    expect(fittingId('AG-1.2', 30)).toBe('AG-1.2');
  });

  it('of another form gets a hash, always the same', () => {
    expect(fittingId('Ref 1', 30)).toMatch(/^Ref1-[0-9a-f]{16}$/);
    expect(fittingId('Ref 1', 30)).toBe(fittingId('Ref 1', 30));
    expect(fittingId('Ref1', 30)).not.toBe(fittingId('Ref 1', 30));
    expect(fittingId('a'.repeat(99), 20)).toHaveLength(20);
  });
});

it('numbers and dates have the form that formats want', () => {
  expect([decimal(1.005), decimal(120), decimal(0.0000001, 6), decimal(1e6)]).toEqual(['1', '120', '0', '1000000']);
  expect([frenchDay('2026-03-01T10:00:00Z'), frenchDay('2021'), frenchDay(undefined)]).toEqual([
    '01/03/2026',
    undefined,
    undefined,
  ]);
});

it('XML has only what has a value, and escapes texts and attributes', () => {
  expect(element('a', 'x & <y> "z"\u0000')).toBe('<a>x &amp; &lt;y&gt; "z"</a>');
  expect([element('a', undefined), element('a', ''), element('a', 0)]).toEqual(['', '', '<a>0</a>']);
  expect(group('a', [element('b', undefined)])).toBe('');
  expect(emptyElement('a', { b: 'x\n"', c: undefined, d: false })).toBe('<a b="x&#10;&quot;" d="false"/>');
});

it('the contact of a placement answers instead of the agent', () => {
  const contact = { email: 'leads@agency.example' };
  expect(contactOf(fullListing(), contextFor(target, { contact }))).toEqual({
    ...contact,
    name: 'negoNom 0',
    phone: '0600000000',
  });
});

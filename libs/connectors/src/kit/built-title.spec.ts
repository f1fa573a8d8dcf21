import type { MappedListing } from './contracts';
import { frenchTitle, localizeTitles, titleIn } from './built-title';
import { TITLE_LANGUAGES, TITLE_WORDS, type TitleParts } from './title-words';

it.each([
  [{ type: 'villa', chambres: 3, ville: 'almunecar' }, 'Villa 3 chambres à Almunecar'],
  [{ type: 'Appartement', pieces: 3, chambres: 2, ville: 'Nice' }, 'Appartement 3 pièces à Nice'],
  [{ type: 'Studio', chambres: 1 }, 'Studio 1 chambre'],
  [{ type: 'Maison', pieces: 4.5 }, 'Maison 4,5 pièces'],
  [{ type: 'Terrain', ville: 'Nice' }, 'Terrain à Nice'],
  [{ ville: 'Nice' }, undefined],
])('frenchTitle turns %j into %j', (parts, title) => {
  expect(frenchTitle(parts)).toBe(title);
});

describe('titleIn', () => {
  const flat: TitleParts = { type: 'Appartement', pieces: 4, chambres: 3, ville: 'Graz' };

  it.each([
    ['fr', 'Appartement 4 pièces à Graz'],
    ['en', 'Apartment in Graz, 3 bedrooms, 1,285 m²'],
    ['de', 'Wohnung in Graz, 4 Zimmer, 1.285 m²'],
    ['es', 'Piso en Graz, 3 dormitorios, 1285 m²'],
    ['it', 'Appartamento a Graz, 4 locali, 1285 m²'],
    ['nl', 'Appartement in Graz, 3 slaapkamers, 1.285 m²'],
    ['pt', 'Apartamento em Graz, 3 quartos, 1285 m²'],
    ['ca', 'Pis a Graz, 3 dormitoris, 1.285 m²'],
    ['da', 'Apartment in Graz, 3 bedrooms, 1,285 m²'],
  ])('builds a title in the language %s, and in English when it has no words for it', (language, title) => {
    expect(titleIn(language, flat, { typeCode: 'appartement', surfaceHabitable: 1284.6 })).toBe(title);
  });

  it.each([
    ['it', { type: 'Villa', chambres: 1, ville: 'Alassio' }, {}, 'Villa ad Alassio, 1 camera da letto'],
    ['de', { type: 'Maison', pieces: 4.5, ville: 'bern' }, {}, 'Haus in Bern, 4,5 Zimmer'],
    [
      'en',
      { type: 'Terrain', ville: 'Leeds' },
      { typeCode: 'terrain', surfaceTerrain: 600 },
      'Plot of land in Leeds, 600 m²',
    ],
    ['en', { type: 'Maison', chambres: 2 }, { surfaceHabitable: 90, pays: 'US' }, 'House, 2 bedrooms'],
    ['es', { type: 'Appartement T3', ville: 'Jaca' }, { typeCode: 'appartement' }, 'Piso en Jaca'],
    ['es', { type: 'Iglú', ville: 'Jaca' }, { typeCode: 'autre' }, 'Inmueble en Jaca'],
    ['es', { ville: 'Jaca' }, {}, undefined],
  ] as const)('builds in %s from %j', (language, parts, listing, title) => {
    expect(titleIn(language, parts, listing)).toBe(title);
  });

  it('has a word for each kind of property in each language', () => {
    const incomplete = Object.entries(TITLE_WORDS).filter(([, others]) => {
      const words = others.split('|');
      return words.length !== TITLE_LANGUAGES.length || words.some((word) => word.trim() !== word || word === '');
    });
    expect(incomplete).toEqual([]);
  });
});

describe('localizeTitles', () => {
  const parts: TitleParts = { type: 'Maison', ville: 'Gand' };
  const localized = (
    listing: Partial<MappedListing>,
    settings: Readonly<Record<string, string>> = {},
  ): Partial<MappedListing> => {
    const own = { intitule: 'Maison à Gand', ...listing };
    localizeTitles(own, settings, () => parts);
    return own;
  };

  it.each([
    ['the language of the texts', { langue: 'nl', pays: 'FR' }, {}, 'Huis in Gand'],
    ['French, where the texts are French', { langue: 'fr', pays: 'ES' }, {}, 'Maison à Gand'],
    ['the language that the operator prefers', { pays: 'ES' }, { langue: 'de' }, 'Haus in Gand'],
    ['the language of the country', { pays: 'ES' }, {}, 'Casa en Gand'],
    ['French, where the country has several languages', { pays: 'BE' }, {}, 'Maison à Gand'],
    ['French, where nothing is known', {}, {}, 'Maison à Gand'],
  ])('uses %s', (_case, listing, settings, title) => {
    expect(localized(listing, settings).intitule).toBe(title);
  });

  it('keeps the title of the source', () => {
    expect(localized({ langue: 'nl', intitule: 'Huis te koop' }).intitule).toBe('Huis te koop');
  });

  it('adds a title to each text that has none', () => {
    const textes = { de: { commentaires: 'Haus' }, en: { intitule: 'Nice', commentaires: 'House' } };
    expect(localized({ langue: 'fr', textes })).toEqual({
      ...{ intitule: 'Maison à Gand', langue: 'fr' },
      textes: { de: { intitule: 'Haus in Gand', commentaires: 'Haus' }, en: textes.en },
    });
  });
});

import {
  byLanguage,
  byLanguageAttribute,
  inLanguages,
  languagesOf,
  textsByLanguage,
  textsByLanguageAttribute,
  textsOf,
} from './by-language';

describe('byLanguage', () => {
  const languages = ['fr', 'en', 'es'];

  it.each([
    ['the preferred language', { en: 'b', fr: 'a' }, 'a'],
    ['the next language when the preferred ones are missing', { de: 'c', es: 'b' }, 'b'],
    ['the next language when the preferred one is empty', { fr: ' ', en: 'b' }, 'b'],
    ['any other language as a last resort', { de: 'c', nl: 'd' }, 'c'],
    ['the first non-empty text of a repeated language', { fr: ['', 'a', 'b'] }, 'a'],
    ['a plain text', 'a', 'a'],
    ['the first non-empty block of several', [{ fr: '' }, { en: 'b' }], 'b'],
    ['a text with attributes', { fr: { '#text': 'a', '@x': '1' } }, 'a'],
    ['nothing from a missing value', undefined, undefined],
    ['nothing from an empty block', '', undefined],
  ])('takes %s', (_title, value, expected) => {
    expect(byLanguage(value, languages)).toBe(expected);
  });
});

describe('byLanguageAttribute', () => {
  const en = { '@lang': 'EN', '#text': 'b' };
  const es = { '@lang': 'es-ES', '#text': 'c' };

  it.each([
    ['the preferred language', [en, { '@lang': 'fr', '#text': 'a' }], 'a'],
    ['the next language when the preferred one is empty', [{ '@lang': 'fr', '#text': ' ' }, es, en], 'b'],
    ['a language with a country code', [{ '@lang': 'nl', '#text': 'd' }, es], 'c'],
    [
      'the first text as a last resort',
      [
        { '@lang': 'nl', '#text': 'd' },
        { '@lang': 'de', '#text': 'e' },
      ],
      'd',
    ],
    ['a text without a language', ['a'], 'a'],
    ['a single text outside a list', es, 'c'],
    ['nothing from a missing value', undefined, undefined],
  ])('takes %s', (_title, value, expected) => {
    expect(byLanguageAttribute(value, '@lang', ['fr', 'en', 'es'])).toBe(expected);
  });
});

describe('languagesOf', () => {
  it('returns French, then English, by default and when the operator prefers French', () => {
    expect(languagesOf({})).toEqual(['fr', 'en']);
    expect(languagesOf({ langue: 'fr' })).toEqual(['fr', 'en']);
  });

  it('begins with the language that the operator prefers', () => {
    expect(languagesOf({ langue: 'NL' })).toEqual(['nl', 'fr', 'en']);
  });

  it('ends with the languages that the format adds', () => {
    expect(languagesOf({ langue: 'de' }, 'es')).toEqual(['de', 'fr', 'en', 'es']);
  });
});

describe('texts by language', () => {
  it('come from children that are named by language, with the names as ISO 639-1 codes', () => {
    expect([...textsByLanguage({ '@id': '1', FR: 'a', 'en-GB': ['', 'b'], es: ' ', other: 'c' })]).toEqual([
      ['fr', 'a'],
      ['en', 'b'],
      ['', 'c'],
    ]);
  });

  it('come from elements with a language attribute', () => {
    const list = [{ '@lang': 'DE', '#text': 'a' }, 'b', { '@lang': 'de', '#text': 'c' }];
    expect([...textsByLanguageAttribute(list, '@lang')]).toEqual([
      ['de', 'a'],
      ['', 'b'],
    ]);
  });
});

describe('inLanguages', () => {
  const wanted = ['fr', 'en'];
  const texts = (given: Record<string, string>): ReturnType<typeof textsOf> => textsOf(Object.entries(given));

  it('returns the texts in the first wanted language, with the other languages beside them', () => {
    const titles = texts({ de: 'Haus', en: 'House', fr: 'Maison' });
    const descriptions = texts({ fr: 'Belle <b>maison</b>', en: 'Nice house' });
    expect(inLanguages(titles, descriptions, wanted)).toEqual({
      intitule: 'Maison',
      commentaires: 'Belle maison',
      langue: 'fr',
      textes: { de: { intitule: 'Haus' }, en: { intitule: 'House', commentaires: 'Nice house' } },
    });
  });

  it('adds no other languages when there is only one language, or none', () => {
    expect(inLanguages(texts({ fr: 'Maison' }), texts({}), wanted)).toEqual({ intitule: 'Maison', langue: 'fr' });
    expect(inLanguages(texts({}), texts({}), wanted)).toEqual({});
  });

  it('omits a language that only repeats the shown texts', () => {
    const titles = texts({ fr: 'Maison', en: 'Maison', es: 'Casa' });
    const descriptions = texts({ fr: 'Belle', en: 'Belle', es: 'Belle' });
    expect(inLanguages(titles, descriptions, wanted).textes).toEqual({
      es: { intitule: 'Casa', commentaires: 'Belle' },
    });
  });

  it('prefers a language that has both title and description', () => {
    const titles = texts({ fr: 'Maison', en: 'House' });
    expect(inLanguages(titles, texts({ en: 'Nice house' }), wanted)).toEqual({
      intitule: 'House',
      commentaires: 'Nice house',
      langue: 'en',
      textes: { fr: { intitule: 'Maison' } },
    });
  });

  it('prefers a language with both texts even when it is not wanted', () => {
    const [titles, descriptions] = [texts({ fr: 'Maison', de: 'Haus' }), texts({ en: 'Nice', de: 'Schön' })];
    expect(inLanguages(titles, descriptions, wanted)).toMatchObject({
      intitule: 'Haus',
      commentaires: 'Schön',
      langue: 'de',
    });
  });

  it('names the language of the description when no language has both texts', () => {
    expect(inLanguages(texts({ fr: 'Maison' }), texts({ en: 'Nice house' }), wanted)).toEqual({
      intitule: 'Maison',
      commentaires: 'Nice house',
      langue: 'en',
    });
  });

  it('shows a text without a declared language, and returns no language', () => {
    expect(inLanguages(texts({ '': 'Maison', en: 'House' }), texts({}), ['fr'])).toEqual({
      intitule: 'Maison',
      textes: { en: { intitule: 'House' } },
    });
  });

  it('skips a text that is only markup', () => {
    expect(inLanguages(texts({}), texts({ fr: '<p> </p>', en: 'b' }), wanted)).toEqual({
      commentaires: 'b',
      langue: 'en',
    });
  });

  it('sorts the other languages, whatever their order in the feed', () => {
    const titles = texts({ fr: 'a', nl: 'b', de: 'c' });
    expect(Object.keys(inLanguages(titles, texts({}), wanted).textes ?? {})).toEqual(['de', 'nl']);
  });
});

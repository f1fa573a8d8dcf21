import { byLanguage, byLanguageAttribute, languagesOf } from './by-language';

describe('byLanguage', () => {
  const languages = ['fr', 'en', 'es'];

  it.each([
    ['the preferred language', { en: 'b', fr: 'a' }, 'a'],
    ['the next one where it is missing', { de: 'c', es: 'b' }, 'b'],
    ['the next one where it is empty', { fr: ' ', en: 'b' }, 'b'],
    ['any other in the end', { de: 'c', nl: 'd' }, 'c'],
    ['the first of a repeated language that says something', { fr: ['', 'a', 'b'] }, 'a'],
    ['a plain text', 'a', 'a'],
    ['the first block of a repeated one', [{ fr: '' }, { en: 'b' }], 'b'],
    ['a text with attributes', { fr: { '#text': 'a', '@x': '1' } }, 'a'],
    ['nothing', undefined, undefined],
    ['an empty block', '', undefined],
  ])('takes %s', (_title, value, expected) => {
    expect(byLanguage(value, languages)).toBe(expected);
  });
});

describe('byLanguageAttribute', () => {
  const en = { '@lang': 'EN', '#text': 'b' };
  const es = { '@lang': 'es-ES', '#text': 'c' };

  it.each([
    ['the preferred language', [en, { '@lang': 'fr', '#text': 'a' }], 'a'],
    ['the next one where it is empty', [{ '@lang': 'fr', '#text': ' ' }, es, en], 'b'],
    ['a language of one country', [{ '@lang': 'nl', '#text': 'd' }, es], 'c'],
    [
      'the first in the end',
      [
        { '@lang': 'nl', '#text': 'd' },
        { '@lang': 'de', '#text': 'e' },
      ],
      'd',
    ],
    ['a text that names none', ['a'], 'a'],
    ['one text that is no list', es, 'c'],
    ['nothing', undefined, undefined],
  ])('takes %s', (_title, value, expected) => {
    expect(byLanguageAttribute(value, '@lang', ['fr', 'en', 'es'])).toBe(expected);
  });
});

describe('languagesOf', () => {
  it('is French, then English: in any other language the feed’s first text comes first', () => {
    expect(languagesOf({})).toEqual(['fr', 'en']);
    expect(languagesOf({ langue: 'fr' })).toEqual(['fr', 'en']);
  });

  it('puts the language that an operator prefers ahead', () => {
    expect(languagesOf({ langue: 'NL' })).toEqual(['nl', 'fr', 'en']);
  });

  it('puts those that a format asks for behind', () => {
    expect(languagesOf({ langue: 'de' }, 'es')).toEqual(['de', 'fr', 'en', 'es']);
  });
});

import { byLanguage, languagesOf } from './by-language';

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

it('an operator may prefer a language', () => {
  expect(languagesOf({})).toEqual(['fr', 'en', 'es']);
  expect(languagesOf({ langue: 'NL' })).toEqual(['nl', 'fr', 'en', 'es']);
});

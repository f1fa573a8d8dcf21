import { compilePath, listOf, scalarOf, textOf, wrappedList } from './values';

describe('compilePath', () => {
  const record = { id: 1, price: { value: 2, a: { b: { c: 3 } } }, images: [{ url: 'x' }, { url: 'y' }], city: null };

  it.each([
    ['id', 1],
    ['price.value', 2],
    ['price.a.b.c', 3],
    ['images.url', 'x'],
    ['images.1.url', 'y'],
    ['city.name', undefined],
    ['id.value', undefined],
    ['nothing.at.all', undefined],
  ])('reads %s', (path, expected) => {
    expect(compilePath(path)(record)).toBe(expected);
  });

  it('reads a cell of a row by its number', () => {
    expect(compilePath('2')(['', 'a', 'b'])).toBe('b');
  });

  it('refuses an empty path', () => {
    expect(() => compilePath('')).toThrow('a path needs a name');
  });
});

it('listOf returns a list for one element, a list or nothing', () => {
  expect(listOf('a')).toEqual(['a']);
  expect(listOf(['a', 'b'])).toEqual(['a', 'b']);
  expect(listOf(undefined)).toEqual([]);
  expect(listOf(null)).toEqual([]);
  expect(listOf('')).toEqual([]);
});

describe('scalarOf', () => {
  it.each([
    [' a ', 'a'],
    ['  ', undefined],
    ['null', undefined],
    ['NULL', undefined],
    ['Invalid Date', undefined],
    [0, 0],
    [false, false],
    [null, undefined],
    [undefined, undefined],
    [{ '#text': 'a', '@lang': 'fr' }, 'a'],
    [{ '@lang': 'fr' }, undefined],
    [['', null, 'b', 'c'], 'b'],
    [[], undefined],
    [NaN, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(scalarOf(value)).toBe(expected);
  });
});

describe('textOf', () => {
  it.each([
    [24368, '24368'],
    ['00012', '00012'],
    [true, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(textOf(value)).toBe(expected);
  });
});

it.each<[string, unknown, unknown[]]>([
  ['several elements', { photo: ['a', 'b'] }, ['a', 'b']],
  ['one element', { photo: { url: 'a' } }, [{ url: 'a' }]],
  ['a bare text', ' a ', ['a']],
  ['a bare text with attributes', { '@nb': '1', '#text': 'a' }, ['a']],
  ['a bare text beside an element', { '#text': 'a', photo: 'b' }, ['a', 'b']],
  ['a repeated list', [{ photo: 'a' }, 'b', ''], ['a', 'b']],
  ['an empty list', '', []],
  ['a missing list', null, []],
  ['other elements', { video: 'a' }, []],
])('wrappedList returns the elements of %s', (_title, value, expected) => {
  expect(wrappedList(value, 'photo')).toEqual(expected);
});

import { compilePath, listOf } from './path';

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

it('listOf makes one element, a list and nothing alike', () => {
  expect(listOf('a')).toEqual(['a']);
  expect(listOf(['a', 'b'])).toEqual(['a', 'b']);
  expect(listOf(undefined)).toEqual([]);
  expect(listOf(null)).toEqual([]);
  expect(listOf('')).toEqual([]);
});

import { scalarOf, textOf } from './scalar';

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

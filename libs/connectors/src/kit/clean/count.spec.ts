import { toFloor, toInteger, toRooms, toYear } from './count';

describe('toInteger', () => {
  it.each([
    ['3', 3],
    ['3.0', 3],
    ['3,00', 3],
    [3, 3],
    ['-1', -1],
    ['0', 0],
  ])('reads %j as %d', (value, expected) => {
    expect(toInteger(value)).toBe(expected);
  });

  it.each(['3.5', '', 'T3', 'RDC', null])('does not read %j', (value) => {
    expect(toInteger(value)).toBeUndefined();
  });
});

describe('toRooms', () => {
  it.each([
    ['3', 3],
    [2.5, 2.5],
    ['2,5', 2.5],
    ['T3', 3],
    ['f4', 4],
    ['T 2', 2],
    ['T2 bis', 2],
    ['3 pièces', 3],
    ['2 chambres', 2],
    ['6+', 6],
  ])('reads %j as %d', (value, expected) => {
    expect(toRooms(value)).toBe(expected);
  });

  it.each(['0', 0, -1, '', 'studio', '3+1', '4-5', 5000])('does not read %j', (value) => {
    expect(toRooms(value)).toBeUndefined();
  });
});

describe('toFloor', () => {
  it.each([
    ['0', 0],
    ['-1', -1],
    [3, 3],
    ['RDC', 0],
    ['rez-de-chaussée', 0],
    [' EG ', 0],
    ['Ground floor', 0],
    ['1er', 1],
    ['3ème étage', 3],
    ['2. OG', 2],
    ['dernier', undefined],
    ['égout', undefined],
    ['2/5', undefined],
    ['2,5', undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(toFloor(value)).toBe(expected);
  });
});

describe('toYear', () => {
  it.each([
    ['1985', 1985],
    [2024, 2024],
    ['0', undefined],
    ['85', undefined],
    ['19850', undefined],
    ['XIXe', undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(toYear(value)).toBe(expected);
  });
});

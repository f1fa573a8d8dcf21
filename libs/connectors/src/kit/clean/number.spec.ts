import { toCents, toFloor, toInteger, toNumber, toRooms, toSquareMetres, toYear } from './number';

describe('toNumber', () => {
  it.each([
    ['349000', 349000],
    ['67.5', 67.5],
    ['4.50', 4.5],
    ['92,5', 92.5],
    ['1 450,50', 1450.5],
    ['1\u00a0450,50', 1450.5],
    ['1\u202f450,50', 1450.5],
    ["1'450.50", 1450.5],
    ['1,350', 1.35],
    ['349.000', 349],
    ['349.000,00', 349000],
    ['1,234.56', 1234.56],
    ['1.350.000', 1350000],
    ['1,350,000', 1350000],
    ['349 000 €', 349000],
    ['€ 349000', 349000],
    ['67,5 m²', 67.5],
    ['750 EUR', 750],
    ['349.000,-', 349000],
    ['1450.-', 1450],
    ['900,-- €', 900],
    ['349 000 € FAI', 349000],
    ['750 € / mois CC', 750],
    ['349000.00 euros TTC', 349000],
    ['4,5 %', 4.5],
    ['-3', -3],
    ['+3', 3],
    [' 12 ', 12],
    ['012', 12],
    ['3.', 3],
    [7.5, 7.5],
    [0, 0],
    ['0', 0],
  ])('reads %j as %d', (value, expected) => {
    expect(toNumber(value)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    'x',
    'POA',
    `1${' '.repeat(50_000)}x`,
    'sur demande',
    '1e5',
    '12345678901234567890',
    1e308,
    '0x10',
    '12/5',
    '1,2,3',
    '1.2.3',
    '4-5',
    '5-',
    'NaN',
    'Infinity',
    '-',
    '.',
    NaN,
    Infinity,
    null,
    undefined,
    true,
    {},
    [],
  ])('returns undefined for %j', (value) => {
    expect(toNumber(value)).toBeUndefined();
  });

  it('reads a comma as the thousands separator when the feed uses it as such', () => {
    expect(toNumber('1,350', { comma: 'thousands' })).toBe(1350);
    expect(toNumber('92,5', { comma: 'thousands' })).toBe(92.5);
  });

  it('reads a point as the thousands separator when the feed uses it as such', () => {
    expect(toNumber('349.000', { point: 'thousands' })).toBe(349000);
    expect(toNumber('349.5', { point: 'thousands' })).toBe(349.5);
  });
});

describe('toCents', () => {
  it('rounds to two decimals', () => {
    expect(toCents((300 * 52) / 12)).toBe(1300);
    expect(toCents(1200 * 0.09290304)).toBe(111.48);
  });
});

it.each([
  [67.5, 'm2', 67.5],
  [1200, 'ft2', 111.48],
  [1, 'acre', 4046.86],
  [1.5, 'ha', 15000],
  [3, 'are', 300],
  [0, 'm2', undefined],
  [-5, 'm2', undefined],
  [undefined, 'm2', undefined],
] as const)('toSquareMetres converts %j %s to %j m²', (area, unit, expected) => {
  expect(toSquareMetres(area, unit)).toBe(expected);
});

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

  it.each(['3.5', '', 'T3', 'RDC', null])('returns undefined for %j', (value) => {
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

  it.each(['0', 0, -1, '', 'studio', '3+1', '4-5', 5000])('returns undefined for %j', (value) => {
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

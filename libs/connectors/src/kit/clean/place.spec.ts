import { toCoordinates, toCountry, toPostcode } from './place';

it.each([
  ['France', 'FR'],
  ['FRANCE', 'FR'],
  ['fr', 'FR'],
  ['FRA', 'FR'],
  ['spain', 'ES'],
  ['España', 'ES'],
  ['Spanien', 'ES'],
  ['Deutschland', 'DE'],
  ['Royaume-Uni', 'GB'],
  ['UK', 'GB'],
  ['Frankrijk', 'FR'],
  ['Duitsland', 'DE'],
  ['Svizzera', 'CH'],
  ['Alemanha', 'DE'],
  ['Regno Unito', 'GB'],
  ['Côte d’Ivoire', 'CI'],
  ['Pays-Bas', 'NL'],
  ['La Réunion', 'RE'],
  ['ZM', 'ZM'],
  ['XX', undefined],
  ['', undefined],
  ['Atlantide', undefined],
  [33, undefined],
])('toCountry reads %j as %j', (value, expected) => {
  expect(toCountry(value)).toBe(expected);
});

describe('toPostcode', () => {
  it.each([
    ['06400', 'FR', '06400'],
    ['6400', 'FR', '06400'],
    [6400, 'FR', '06400'],
    ['06 400', 'FR', '06400'],
    ['F-06400', 'FR', '06400'],
    ['2A004', 'FR', '2A004'],
    ['1000', 'BE', '1000'],
    ['1204', 'CH', '1204'],
    ['CH-1006', 'CH', '1006'],
    ['CH 1006', 'CH', '1006'],
    ['A-1010', 'AT', '1010'],
    ['L-1855', 'LU', '1855'],
    ['NL 1011 AB', 'NL', '1011 AB'],
    ['FL-9490', 'LI', '9490'],
    ['LV-1010', 'LV', 'LV-1010'],
    ['D 01067', 'DE', '01067'],
    ['01067', 'DE', '01067'],
    ['1067', 'DE', '01067'],
    ['D-1067', 'DE', '01067'],
    [4620, 'ES', '04620'],
    ['1100', 'IT', '01100'],
    [186, 'IT', '00186'],
    ['551', 'IT', '551'],
    ['SW1A 1AA', 'GB', 'SW1A 1AA'],
    ['4600', undefined, '4600'],
  ])('reads %j in %j as %j', (value, country, expected) => {
    expect(toPostcode(value, country)).toBe(expected);
  });

  it.each(['', ' ', '0', '00000', '-', '<b>', 'null', 'inconnu, voir texte', null])(
    'returns undefined for %j',
    (value) => {
      expect(toPostcode(value, 'FR')).toBeUndefined();
    },
  );
});

describe('toCoordinates', () => {
  it('reads texts and numbers', () => {
    expect(toCoordinates('43.55000', '-7,01')).toEqual({ latitude: 43.55, longitude: -7.01 });
  });

  it.each([
    ['0', '0'],
    [0, 7],
    ['45.46', '0.000'],
    ['', '7'],
    ['43', null],
    ['120', '7'],
    ['43', '200'],
  ])('returns undefined for %j;%j', (latitude, longitude) => {
    expect(toCoordinates(latitude, longitude)).toBeUndefined();
  });
});

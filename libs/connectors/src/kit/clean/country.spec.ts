import { toCountry } from './country';

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
  ['Côte d’Ivoire', 'CI'],
  ['Pays-Bas', 'NL'],
  ['La Réunion', 'RE'],
  ['ZM', 'ZM'],
  ['', undefined],
  ['Atlantide', undefined],
  [33, undefined],
])('%j is the country %j', (value, expected) => {
  expect(toCountry(value)).toBe(expected);
});

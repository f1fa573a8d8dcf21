import { toCurrency } from './currency';

it.each([
  ['EUR', 'EUR'],
  ['gbp', 'GBP'],
  ['Euro', 'EUR'],
  ['€', 'EUR'],
  ['Franc suisse', 'CHF'],
  ['', undefined],
  ['cacahuètes', undefined],
  [3, undefined],
])('%j is the currency %j', (value, expected) => {
  expect(toCurrency(value)).toBe(expected);
});

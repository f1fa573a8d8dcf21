import { toCurrency, toMonthlyRent } from './money';

it.each([
  ['EUR', 'EUR'],
  ['gbp', 'GBP'],
  ['Euro', 'EUR'],
  ['€', 'EUR'],
  ['Franc suisse', 'CHF'],
  ['', undefined],
  ['cacahuètes', undefined],
  [3, undefined],
])('toCurrency reads %j as %j', (value, expected) => {
  expect(toCurrency(value)).toBe(expected);
});

it.each([
  [100, 'jour', 3041.67],
  [300, 'semaine', 1300],
  [600, 'quinzaine', 1300],
  [750.5, 'mois', 750.5],
  [3000, 'trimestre', 1000],
  [6000, 'semestre', 1000],
  [12000, 'an', 1000],
] as const)('toMonthlyRent converts a rent of %d per %s to %d per month', (amount, period, monthly) => {
  expect(toMonthlyRent(amount, period)).toBe(monthly);
});

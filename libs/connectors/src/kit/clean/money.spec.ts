import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

it('toCurrency keeps no long text in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100; n += 1) {
    const text = Buffer.from(`a currency no. ${n} ${'x'.repeat(200_000)}`).toString();
    expect(toCurrency(text)).toBeUndefined();
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
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

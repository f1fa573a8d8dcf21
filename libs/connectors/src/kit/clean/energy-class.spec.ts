import { toEnergyClass } from './energy-class';

it.each([
  ['D', 'D'],
  [' e ', 'E'],
  ['A+', 'A'],
  ['VI', 'VI'],
  ['Vierge', 'VI'],
  ['NS', 'NS'],
  ['non soumis', 'NS'],
  ['X', undefined],
  ['', undefined],
  ['191', undefined],
  [null, undefined],
])('%j is the energy class %j', (value, expected) => {
  expect(toEnergyClass(value)).toBe(expected);
});

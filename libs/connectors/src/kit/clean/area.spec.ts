import { toSquareMetres } from './area';

it.each([
  [67.5, 'm2', 67.5],
  [1200, 'ft2', 111.48],
  [1, 'acre', 4046.86],
  [1.5, 'ha', 15000],
  [3, 'are', 300],
  [0, 'm2', undefined],
  [-5, 'm2', undefined],
  [undefined, 'm2', undefined],
] as const)('%j %s is %j m²', (area, unit, expected) => {
  expect(toSquareMetres(area, unit)).toBe(expected);
});

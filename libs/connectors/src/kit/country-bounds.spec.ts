import { isWithin } from './country-bounds';

it.each([
  ['ES', 38.54, -0.17, true],
  ['ES', -0.17, 38.54, false],
  ['ES', 28.1, -15.4, true],
  ['FR', 48.85, 2.35, true],
  ['FR', -20.9, 55.5, true],
  ['FR', 48.85, -72.3, false],
  ['US', -0.17, 38.54, true],
])('isWithin says whether %s contains %d, %d: %s', (country, latitude, longitude, expected) => {
  expect(isWithin(country, latitude, longitude)).toBe(expected);
});

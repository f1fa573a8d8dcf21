import { isWithin } from './country-borders';

it.each([
  ['ES', 38.54, -0.17, true],
  ['ES', -0.17, 38.54, false],
  ['ES', 28.1, -15.4, true],
  ['FR', 48.85, 2.35, true],
  ['FR', -20.9, 55.5, true],
  ['FR', 48.85, -72.3, false],
  ['US', -0.17, 38.54, false],
  ['UK', -0.17, 38.54, true],
  // Hendaye and Irun are a kilometre apart; Perpignan is in France only.
  ['ES', 43.36, -1.77, true],
  ['ES', 42.7, 2.9, false],
  ['GP', 16.2, -61.5, true],
  ['FR', 43.73, 7.42, true],
  ['GB', 49.2, -2.1, true],
])('isWithin says whether %s contains %d, %d: %s', (country, latitude, longitude, expected) => {
  expect(isWithin(country, latitude, longitude)).toBe(expected);
});

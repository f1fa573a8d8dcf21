import { box, circle, distanceKm, polygon } from './areas';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

describe('search area', () => {
  it('crosses the 180th meridian as a box whose west is greater than its east', () => {
    const fiji = box([177, -20, -178, -15]);
    expect([at(-17, 178), at(-17, -179), at(-17, 0), at(-21, 178), at(-15, 180)].map(fiji)).toEqual([
      ...[true, true, false, false, true],
    ]);
  });

  it('measures a circle along a sphere, also over the poles and the 180th meridian', () => {
    expect(distanceKm(at(48.8566, 2.3522), at(45.764, 4.8357))).toBeCloseTo(391.5, 0);
    expect(distanceKm(at(0, 179.5), at(0, -179.5))).toBeCloseTo(111.2, 1);
    expect(distanceKm(at(89.5, 0), at(89.5, 180))).toBeCloseTo(111.2, 1);
    expect(distanceKm(at(0, 0), at(0, 180))).toBeCloseTo(20_015, 0);
    expect(circle([45, 4, 1])(at(45, 4))).toBe(true);
  });

  it('includes the sides and corners of a polygon, and excludes regions that its sides enclose twice', () => {
    const square = polygon([
      [45, 4],
      [46, 4],
      [46, 5],
      [45, 5],
    ]);
    const asked = [
      at(45.5, 4.5),
      at(45, 4),
      at(46, 5),
      at(45.5, 4),
      at(45, 4.5),
      at(46, 4.3),
      at(44.99, 4.5),
      at(45.5, 5.01),
    ];
    expect(asked.map(square)).toEqual([true, true, true, true, true, true, false, false]);
    const twice = polygon([
      [0, 0],
      [0, 2],
      [2, 2],
      [2, 0],
      [0, 0],
      [0, 2],
      [2, 2],
      [2, 0],
    ]);
    expect(twice(at(1, 1))).toBe(false);
    const bow = polygon([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
    ]);
    expect([at(1.5, 1), at(0.5, 1), at(1, 0.5), at(1, 1)].map(bow)).toEqual([true, true, false, true]);
  });

  it('is a line if the three corners of a polygon are in one line', () => {
    const line = polygon([
      [0, 0],
      [1, 1],
      [0.3, 0.3],
    ]);
    expect([at(0.7, 0.7), at(0.7, 0.71)].map(line)).toEqual([true, false]);
  });
});

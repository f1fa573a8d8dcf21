import { toCoordinates } from './coordinates';

describe('toCoordinates', () => {
  it('reads texts and numbers', () => {
    expect(toCoordinates('43.55000', '-7,01')).toEqual({ latitude: 43.55, longitude: -7.01 });
    expect(toCoordinates(0, 7)).toEqual({ latitude: 0, longitude: 7 });
  });

  it.each([
    ['0', '0'],
    ['', '7'],
    ['43', null],
    ['120', '7'],
    ['43', '200'],
  ])('takes %j;%j for unknown', (latitude, longitude) => {
    expect(toCoordinates(latitude, longitude)).toBeUndefined();
  });
});

import { acceptsGzip } from './compression';

describe('acceptsGzip', () => {
  it.each([
    ['gzip', true],
    ['x-gzip', true],
    ['deflate, GZIP;q=0.1', true],
    ['*', true],
    ['br;q=1, *;q=0.5', true],
    [undefined, false],
    ['', false],
    ['identity', false],
    ['gzip;q=0', false],
    ['gzip; q=0.000', false],
    ['*, gzip;q=0', false],
    ['gzipped', false],
  ])('reads %s as %s', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});

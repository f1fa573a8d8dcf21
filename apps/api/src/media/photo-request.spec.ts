import { acceptsWebp, requestedRange } from './photo-request';

describe('requestedRange', () => {
  it.each([
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=100-', { start: 100, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes= 0 - 0', { start: 0, end: 0 }],
  ])('finds the range of a 1,000-byte body in %s', (header, expected) => {
    expect(requestedRange(header, 1_000)).toEqual(expected);
  });

  it.each([
    undefined,
    '',
    'bytes=-',
    'bytes=-0',
    'bytes=1000-',
    'bytes=5-4',
    'bytes=0-1,5-6',
    'items=0-1',
    'bytes=a-b',
  ])('returns null (the whole body) for %s', (header) => {
    expect(requestedRange(header, 1_000)).toBeNull();
  });
});

it.each([
  ['image/avif,image/webp,image/apng,*/*;q=0.8', true],
  ['image/png, IMAGE/WebP;q=0.5', true],
  ['image/webp;q=0', false],
  ['image/*', false],
  ['*/*', false],
  [undefined, false],
])('acceptsWebp reads %s as %s', (accept, expected) => {
  expect(acceptsWebp(accept)).toBe(expected);
});

import { orientationOf, tiffOf } from './orientation';

const entry = (tag: string, type: string, value: string): string => `${tag}${type}00000001${value}0000`;
/** A directory in big-endian byte order. */
const directory = (count: string, ...entries: string[]): Buffer =>
  Buffer.from(`4d4d002a00000008${count}${entries.join('')}`, 'hex');
const MAKE = entry('010f', '0002', '0000');

describe('orientationOf', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('reads the orientation that tiffOf wrote: %d', (orientation) => {
    expect(orientationOf(tiffOf(orientation))).toBe(orientation);
  });

  it('reads both byte orders', () => {
    const intel = Buffer.from('49492a000800000001001201030001000000080000000000', 'hex');

    expect([orientationOf(intel), orientationOf(directory('0002', MAKE, entry('0112', '0003', '0006')))]).toEqual([
      8, 6,
    ]);
  });

  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['a text that is not TIFF', Buffer.from('no TIFF at all')],
    ['only a header', Buffer.from('4d4d002a', 'hex')],
    ['a directory address after the end', Buffer.from('4d4d002affffffff', 'hex')],
    ['a count of more entries than exist', directory('ffff', MAKE)],
    ['no orientation', directory('0001', MAKE)],
    ['an undefined orientation', directory('0001', entry('0112', '0003', '0009'))],
    ['an orientation of zero', directory('0001', entry('0112', '0003', '0000'))],
    ['an orientation as text', directory('0001', entry('0112', '0002', '0006'))],
  ])('returns upright for data with %s', (_, tiff) => {
    expect(orientationOf(tiff)).toBe(1);
  });
});

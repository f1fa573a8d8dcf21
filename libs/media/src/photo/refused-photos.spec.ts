import sharp from 'sharp';
import { encoded, picture } from '../../../../test/support/media/pictures';
import { pngChunk, webpChunk } from '../../../../test/support/media/planted';
import { cleanPhoto } from './clean-photo';
import { PHOTO_EXTENSIONS, type PhotoExtension } from './photo';
import { PhotoRefused } from './refusals';

/** The reason for the refusal, or the size of an accepted photo. */
function outcome(file: Buffer): string {
  try {
    const { width, height } = cleanPhoto(file);
    return `${width} × ${height}`;
  } catch (error) {
    if (error instanceof PhotoRefused) return error.reason;
    throw error;
  }
}

const le16 = (number: number): Buffer => Buffer.from([number & 255, number >> 8]);
const be16 = (number: number): Buffer => le16(number).swap16();

describe('file that is not a photo', () => {
  it.each([
    ['an empty file', ''],
    ['a text', 'JPEG'],
    ['an HTML page', '<!DOCTYPE html><html><body>Not found</body></html>'],
    ['an SVG drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a PDF document', '%PDF-1.7\n'],
    ['a bitmap', 'BM\x36\0\0\0\0\0\0\0\x36\0\0\0'],
    ['a TIFF', 'II*\0\x08\0\0\0\0\0\0\0'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a ZIP archive', 'PK\x03\x04\x14\0\0\0\x08\0'],
    ['a WAVE sound', 'RIFF\x24\0\0\0WAVEfmt '],
  ])('is refused: %s', (_, bytes) => {
    expect(outcome(Buffer.from(bytes, 'latin1'))).toBe('not_an_image');
  });
});

describe.each(PHOTO_EXTENSIONS)('damaged photo: %s', (extension) => {
  it('is refused when truncated to any length', async () => {
    const file = await encoded(extension);
    // Shorter files do not show their format, and a GIF is accepted without its last byte.
    const lengths = Array.from({ length: 60 }, (_, index) => Math.round(12 + ((file.length - 14) * index) / 59));

    expect(lengths.map((length) => outcome(file.subarray(0, length)))).toEqual(lengths.map(() => 'truncated'));
  });

  it('is either rejected or stored, whatever its bytes are', async () => {
    const file = await encoded(extension);
    const bytes = Buffer.from(file);
    let state = 7;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;

    for (let round = 0; round < 2_000; round++) {
      file.copy(bytes);
      for (let change = 0; change <= round % 4; change++) bytes[random(bytes.length)] = random(256);

      expect(outcome(bytes.subarray(0, random(4) === 0 ? random(bytes.length) : bytes.length))).toMatch(
        /^(\d+ × \d+|not_an_image|too_many_pixels|truncated|damaged)$/,
      );
    }
  });
});

describe('image with too many pixels', () => {
  it.each([
    [7_500, 8_000, '7500 × 8000'],
    [7_501, 8_000, 'too_many_pixels'],
    [65_535, 65_535, 'too_many_pixels'],
    [0, 100, 'damaged'],
  ])('is judged by the size in its header: JPEG of %d × %d', async (width, height, expected) => {
    const file = await encoded('jpg');
    const frame = file.indexOf('ffc0', 0, 'hex');
    be16(height).copy(file, frame + 5);
    be16(width).copy(file, frame + 7);

    expect(outcome(file)).toBe(expected);
  });

  it('is refused by its header: PNG', async () => {
    const file = await encoded('png');
    const header = Buffer.from('000186a0000186a00802000000', 'hex');

    expect(outcome(Buffer.concat([file.subarray(0, 8), pngChunk('IHDR', header), file.subarray(33)]))).toBe(
      'too_many_pixels',
    );
  });

  it('is refused by its header: WebP', async () => {
    const file = await encoded('webp', picture().ensureAlpha(0.5));
    file.fill(0xff, 24, 30);

    expect(outcome(file)).toBe('too_many_pixels');
  });

  it('is refused by its header: GIF', async () => {
    const file = await encoded('gif');
    le16(65_535).copy(file, 6);
    le16(65_535).copy(file, 8);

    expect(outcome(file)).toBe('too_many_pixels');
  });

  it('is refused when a GIF frame is larger than the screen of the GIF', async () => {
    const file = await encoded('gif');
    const frame = file.indexOf(0x2c, 13 + 3 * 256);
    le16(65_535).copy(file, frame + 5);
    le16(65_535).copy(file, frame + 7);

    expect(outcome(file)).toBe('too_many_pixels');
  });

  it('is refused when the frames of a GIF together have too many pixels', async () => {
    const file = await encoded('gif', picture({ width: 300, height: 200 }));
    const frames = file.subarray(file.indexOf(0x2c, 13 + 3 * 256), -1);
    const animation = (count: number): Buffer =>
      Buffer.concat([file.subarray(0, -1), ...new Array<Buffer>(count - 1).fill(frames), file.subarray(-1)]);

    expect(outcome(animation(1_000))).toBe('300 × 200');
    expect(outcome(animation(1_001))).toBe('too_many_pixels');
  });
});

describe('animation with too many pixels', () => {
  it('is refused: WebP', async () => {
    const frames = await Promise.all([1, 2, 3].map((seed) => picture({ seed }).png().toBuffer()));
    const file = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const withSide = (side: number): Buffer => {
      const changed = Buffer.from(file);
      changed.writeUIntLE(side - 1, 24, 3);
      changed.writeUIntLE(side - 1, 27, 3);
      return changed;
    };

    expect(outcome(withSide(4_472))).toBe('4472 × 4472');
    expect(outcome(withSide(4_473))).toBe('too_many_pixels');
  });
});

describe('file with too many parts', () => {
  const behind = (file: Buffer, at: number, part: Buffer): Buffer =>
    Buffer.concat([file.subarray(0, at), Buffer.alloc(part.length * 30_000, part), file.subarray(at)]);

  it.each<[PhotoExtension, (file: Buffer) => Buffer]>([
    ['jpg', (file) => behind(file, 20, Buffer.from('ffdd00040000', 'hex'))],
    ['png', (file) => behind(file, file.length - 12, pngChunk('IDAT'))],
    ['webp', (file) => enlarged(behind(file, file.length, webpChunk('ALPH')))],
    ['gif', (file) => behind(file, 13 + 3 * 256, Buffer.from('21f9040000000000', 'hex'))],
  ])('is refused: %s', async (extension, multiply) => {
    const file = await encoded(extension, extension === 'webp' ? picture().ensureAlpha(0.5) : picture());

    expect(outcome(multiply(file))).toBe('damaged');
  });
});

describe('photo with an invalid structure', () => {
  it('is refused when it has two frame headers, because decoders disagree about which one counts', async () => {
    const file = await encoded('jpg');
    const frame = file.indexOf('ffc0', 0, 'hex');
    const segment = file.subarray(frame, frame + 19);

    expect(outcome(Buffer.concat([file.subarray(0, frame), segment, file.subarray(frame)]))).toBe('damaged');
  });

  it.each([0xc3, 0xc9, 0xcb, 0xf7])('is refused when browsers cannot display this kind of JPEG: %d', async (marker) => {
    const file = await encoded('jpg');
    file[file.indexOf('ffc0', 0, 'hex') + 1] = marker;

    expect(outcome(file)).toBe('damaged');
  });

  it('is refused when a GIF has no frame', async () => {
    const file = await encoded('gif');
    const colours = file.subarray(0, 13 + 3 * 256);

    expect(outcome(Buffer.concat([colours, Buffer.from(';')]))).toBe('damaged');
  });

  it('is refused when a PNG has a wrong checksum', async () => {
    const file = await encoded('png');
    file[file.length - 20]! ^= 1;

    expect(outcome(file)).toBe('damaged');
  });

  it('is refused when a PNG has an unknown critical chunk', async () => {
    const file = await encoded('png');

    expect(outcome(Buffer.concat([file.subarray(0, 33), pngChunk('ABCD'), file.subarray(33)]))).toBe('damaged');
  });
});

/** Updates the length in the header. */
function enlarged(webp: Buffer): Buffer {
  webp.writeUInt32LE(webp.length - 8, 4);
  return webp;
}

import { isColourProfile } from './icc-profile';
import { checkParts, checkPixels, PhotoRefused } from './refusals';
import { orientationOf, tiffOf, upright, UPRIGHT } from './orientation';
import type { CleanPhoto } from './photo';

const HEADER_BYTES = 12;
/** Flags of the extended header. */
const [ANIMATION, ORIENTED, ALPHA, PROFILED] = [0x02, 0x08, 0x10, 0x20];
/** Position, size and duration of one frame, before its own chunks. */
const FRAME_HEADER_BYTES = 16;
/** A frame has colours, transparency and possibly unknown chunks. */
const MAX_FRAME_CHUNKS = 16;
const PIXELS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH']);

interface Chunk {
  type: string;
  content: Buffer;
}

/** Copies the chunks that are needed to display the image or its frames. */
export function cleanWebp(file: Buffer): CleanPhoto {
  const end = HEADER_BYTES - 4 + file.readUInt32LE(4);
  const chunks = chunksOf(file.subarray(HEADER_BYTES, end));
  const [first] = chunks;
  if (first === undefined) throw new PhotoRefused('truncated');
  return first.type === 'VP8X' ? cleanExtended(first.content, chunks) : cleanSimple(first);
}

/** A file in the simple form has only one chunk, with the pixels. */
function cleanSimple(chunk: Chunk): CleanPhoto {
  const size = chunk.type === 'VP8L' ? losslessSize(chunk.content) : lossySize(chunk);
  checkPixels(size.width, size.height);
  return { extension: 'webp', bytes: fileOf([chunk]), ...size };
}

function cleanExtended(header: Buffer, chunks: Chunk[]): CleanPhoto {
  const size = { width: header.readUIntLE(4, 3) + 1, height: header.readUIntLE(7, 3) + 1 };
  const isAnimated = (header[0]! & ANIMATION) !== 0;
  const pixels = isAnimated ? animationOf(chunks) : chunks.filter(({ type }) => PIXELS.has(type));
  checkPixels(size.width, size.height, isAnimated ? pixels.length - 1 : 1);
  const exif = chunks.find(({ type }) => type === 'EXIF')?.content ?? Buffer.alloc(0);
  const orientation = orientationOf(exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif);
  const profile = chunks.filter(({ type, content }) => type === 'ICCP' && isColourProfile(content)).slice(0, 1);

  const clean = Buffer.alloc(10);
  clean[0] =
    (header[0]! & (ANIMATION | ALPHA)) | (profile.length * PROFILED) | (orientation === UPRIGHT ? 0 : ORIENTED);
  header.copy(clean, 4, 4, 10);
  const oriented = orientation === UPRIGHT ? [] : [{ type: 'EXIF', content: tiffOf(orientation) }];
  return {
    extension: 'webp',
    bytes: fileOf([{ type: 'VP8X', content: clean }, ...profile, ...pixels, ...oriented]),
    ...upright(size, orientation),
  };
}

/** The header and frames of an animation, each frame with its pixels only. */
function animationOf(chunks: Chunk[]): Chunk[] {
  const header = chunks.find(({ type, content }) => type === 'ANIM' && content.length === 6);
  if (header === undefined) throw new PhotoRefused('damaged');
  const frames = chunks
    .filter(({ type }) => type === 'ANMF')
    .map(({ content }) => {
      const pixels = chunksOf(content.subarray(FRAME_HEADER_BYTES), MAX_FRAME_CHUNKS).filter(({ type }) =>
        PIXELS.has(type),
      );
      return {
        type: 'ANMF',
        content: Buffer.concat([content.subarray(0, FRAME_HEADER_BYTES), ...pixels.map(written)]),
      };
    });
  return [header, ...frames];
}

function lossySize({ type, content }: Chunk): { width: number; height: number } {
  const isKeyFrame = type === 'VP8 ' && content.readUIntBE(3, 3) === 0x9d012a;
  if (!isKeyFrame) throw new PhotoRefused('damaged');
  return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
}

function losslessSize(content: Buffer): { width: number; height: number } {
  if (content[0] !== 0x2f) throw new PhotoRefused('damaged');
  const bits = content.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** @param most the maximum number of chunks. */
function chunksOf(bytes: Buffer, most?: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > bytes.length) throw new PhotoRefused('truncated');
    checkParts(chunks.length, most);
    chunks.push({ type: bytes.toString('latin1', at, at + 4), content: bytes.subarray(at + 8, end) });
    // Chunks begin at even positions.
    at = end + (length % 2);
  }
  return chunks;
}

function written({ type, content }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function fileOf(chunks: Chunk[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.map(written)]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

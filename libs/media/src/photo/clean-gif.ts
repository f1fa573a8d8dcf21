import { checkParts, checkPixels, PhotoRefused } from './refusals';
import type { CleanPhoto } from './photo';

const HEADER_BYTES = 13;
const [IMAGE, EXTENSION, TRAILER] = [0x2c, 0x21, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];
/** The size of the block with delay and transparency of the next frame. */
const GRAPHIC_CONTROL_BYTES = 8;
/** The two possible names of the block with the number of repetitions; it has one sub-block of three bytes. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];
const LOOP_BYTES = 19;

/** Copies the frames and the animation's timing, but no comments, texts or application data. */
export function cleanGif(file: Buffer): CleanPhoto {
  const size = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  let position = HEADER_BYTES + colourTableBytes(file.readUInt8(10));
  const parts = [file.subarray(0, position)];
  let frames = 0;
  // Some writers omit the trailer.
  while (position < file.length || frames === 0) {
    const start = position;
    const block = file.readUInt8(start);
    checkParts(parts.length);
    if (block === TRAILER) break;
    if (block === IMAGE) {
      position = endOfImage(file, start);
      parts.push(file.subarray(start, position));
      frames += 1;
      checkFrame(size, file, start, frames);
    } else if (block === EXTENSION) {
      position = endOfSubBlocks(file, start + 2);
      const extension = file.subarray(start, position);
      if (isPlayed(extension)) parts.push(extension);
    } else {
      throw new PhotoRefused('damaged');
    }
  }
  checkPixels(size.width, size.height, frames);
  return { extension: 'gif', bytes: Buffer.concat([...parts, Buffer.from([TRAILER])]), ...size };
}

/** A frame may be larger than the screen, and some decoders allocate memory for the frame. */
function checkFrame(size: { width: number; height: number }, file: Buffer, start: number, frames: number): void {
  const right = file.readUInt16LE(start + 1) + file.readUInt16LE(start + 5);
  const bottom = file.readUInt16LE(start + 3) + file.readUInt16LE(start + 7);
  checkPixels(Math.max(size.width, right), Math.max(size.height, bottom), frames);
}

function isPlayed(extension: Buffer): boolean {
  if (extension[1] === GRAPHIC_CONTROL) return extension.length === GRAPHIC_CONTROL_BYTES;
  return (
    extension[1] === APPLICATION &&
    extension.length === LOOP_BYTES &&
    LOOPS.includes(extension.toString('latin1', 3, 14))
  );
}

function endOfImage(file: Buffer, start: number): number {
  const tables = start + 10 + colourTableBytes(file.readUInt8(start + 9));
  // Skips one byte, the LZW code size.
  return endOfSubBlocks(file, tables + 1);
}

/** Each sub-block begins with its length; an empty sub-block is the last. */
function endOfSubBlocks(file: Buffer, start: number): number {
  let position = start;
  for (let length = file.readUInt8(position); length > 0; length = file.readUInt8(position)) position += length + 1;
  return position + 1;
}

function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

import { crc32, deflateSync, inflateSync } from 'node:zlib';

import { isColourProfile, MAX_PROFILE_BYTES } from './icc-profile';
import { checkParts, checkPixels, PhotoRefused } from './refusals';
import { orientationOf, tiffOf, upright, UPRIGHT } from './orientation';
import type { CleanPhoto } from './photo';

const SIGNATURE_BYTES = 8;
/** The chunks that are needed to display an image, with the maximum size of each in bytes. */
const KEPT: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 768,
  IDAT: Infinity,
  IEND: 0,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  cICP: 4,
  pHYs: 9,
};

interface Chunk {
  type: string;
  /** The complete chunk: length, type, content and checksum. */
  whole: Buffer;
  content: Buffer;
  next: number;
}

/** Copies the chunks that are needed to display the image; of an animation, only its still image. */
export function cleanPng(file: Buffer): CleanPhoto {
  const parts: Buffer[] = [];
  let orientation = UPRIGHT;
  for (let chunk = chunkAt(file, SIGNATURE_BYTES); ; chunk = chunkAt(file, chunk.next)) {
    const { type, whole, content } = chunk;
    checkParts(parts.length);
    if ((parts.length === 0) !== (type === 'IHDR')) throw new PhotoRefused('damaged');
    if (type === 'IHDR') checkPixels(content.readUInt32BE(0), content.readUInt32BE(4));
    if (type === 'eXIf') orientation = orientationOf(content);
    else if (type === 'iCCP') parts.push(...profileChunk(content));
    else if (content.length <= (KEPT[type] ?? -1)) parts.push(checked(whole));
    else if (isCritical(type)) throw new PhotoRefused('damaged');
    if (type === 'IEND') break;
  }
  const header = parts[0]!;
  const size = { width: header.readUInt32BE(8), height: header.readUInt32BE(12) };
  const exif = orientation === UPRIGHT ? [] : [chunkOf('eXIf', tiffOf(orientation))];
  return {
    extension: 'png',
    bytes: Buffer.concat([file.subarray(0, SIGNATURE_BYTES), header, ...exif, ...parts.slice(1)]),
    ...upright(size, orientation),
  };
}

/** Builds the chunk again, because its name is free text and other bytes may follow the compressed data. */
function profileChunk(content: Buffer): Buffer[] {
  const start = content.indexOf(0) + 2;
  if (start < 3) return [];
  try {
    const profile = inflateSync(content.subarray(start), { maxOutputLength: MAX_PROFILE_BYTES });
    if (!isColourProfile(profile)) return [];
    return [chunkOf('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]))];
  } catch {
    return [];
  }
}

function chunkAt(file: Buffer, at: number): Chunk {
  const next = at + 12 + file.readUInt32BE(at);
  if (next > file.length) throw new PhotoRefused('truncated');
  const whole = file.subarray(at, next);
  return { type: whole.toString('latin1', 4, 8), whole, content: whole.subarray(8, -4), next };
}

/** @throws PhotoRefused when the checksum is wrong. */
function checked(chunk: Buffer): Buffer {
  if (crc32(chunk.subarray(4, -4)) !== chunk.readUInt32BE(chunk.length - 4)) throw new PhotoRefused('damaged');
  return chunk;
}

function chunkOf(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + 12);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** A chunk whose name begins with a capital letter is critical: decoders must not ignore it. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}

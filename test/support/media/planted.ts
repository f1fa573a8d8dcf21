import { crc32, deflateSync } from 'node:zlib';
import type { PhotoExtension } from '../../../libs/media/src/photo/photo';

type Plant = (file: Buffer) => Buffer;

/** A house's position as an agent's phone stores it. */
export const SECRET = 'GPS 48.858370 2.294481 PRIVATE-CAMERA';

/** EXIF as phones write it, with the secret as text and without orientation. */
const EXIF = Buffer.concat([
  Buffer.from('II*\0\x08\0\0\0\x01\0\x3b\x01\x02\0', 'latin1'),
  Buffer.from([SECRET.length, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]),
  Buffer.from(SECRET),
]);
const ZIP = Buffer.from(`PK\x03\x04${SECRET}PK\x05\x06`, 'latin1');
const PAGE = Buffer.from(`<script>alert("${SECRET}")</script>`);

/** Ways to add the secret to a file without changing the picture, by format. */
export const PLANTS: Readonly<Record<PhotoExtension, Readonly<Record<string, Plant>>>> = {
  jpg: {
    EXIF: behindStart(segment(0xe1, 'Exif\0\0', EXIF)),
    XMP: behindStart(segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', SECRET)),
    'extended XMP': behindStart(segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', SECRET)),
    IPTC: behindStart(segment(0xed, 'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0', SECRET)),
    'a comment': behindStart(segment(0xfe, SECRET)),
    'a page in a comment': behindStart(segment(0xfe, PAGE)),
    'a note of its origin': behindStart(segment(0xeb, 'JP\0\0', SECRET)),
    'a list of further pictures': behindStart(segment(0xe2, 'MPF\0', SECRET)),
    'a colour profile that is none': behindStart(segment(0xe2, 'ICC_PROFILE\0\x01\x01', SECRET.repeat(9))),
    'a JFIF extension': behindStart(segment(0xe0, 'JFXX\0\x10', SECRET)),
    'a thumbnail in the JFIF header': (file) =>
      join(file.subarray(0, 2), segment(0xe0, file.subarray(6, 18), '\x0d\x01', SECRET.padEnd(39)), file.subarray(20)),
    'bytes between two segments': behindStart(Buffer.from(SECRET)),
    'a comment before the scan': (file) => insert(file, file.indexOf('ffda', 0, 'hex'), segment(0xfe, SECRET)),
    'a comment behind the scan': (file) => insert(file, file.length - 2, segment(0xfe, SECRET)),
    'a second picture': (file) => join(file, segment(0xe1, SECRET), file),
    'a ZIP behind the picture': (file) => join(file, ZIP),
  },
  png: {
    EXIF: behindHeader(pngChunk('eXIf', EXIF)),
    text: behindHeader(pngChunk('tEXt', 'GPS\0', SECRET)),
    'compressed text': behindHeader(pngChunk('zTXt', 'GPS\0\0', deflateSync(SECRET))),
    XMP: behindHeader(pngChunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', SECRET)),
    'a date': behindHeader(pngChunk('tIME', '\x07\xe8\x01\x02\x03\x04\x05')),
    'an unknown chunk': behindHeader(pngChunk('prVt', SECRET)),
    'a text whose checksum is wrong': behindHeader(join(pngChunk('tEXt', SECRET).subarray(0, -4), 'none')),
    'a colour profile that is none': behindHeader(pngChunk('iCCP', 'x\0\0', deflateSync(SECRET))),
    'frames of an animation': (file) =>
      insert(file, file.length - 12, join(pngChunk('acTL', '\0\0\0\x01\0\0\0\0'), pngChunk('fdAT', SECRET))),
    'a ZIP behind the picture': (file) => join(file, ZIP),
  },
  webp: {
    EXIF: extended((file) => join(file, webpChunk('EXIF', EXIF)), 0x08),
    XMP: extended((file) => join(file, webpChunk('XMP ', SECRET)), 0x04),
    'an unknown chunk': extended((file) => join(file, webpChunk('prVt', SECRET)), 0),
    'a colour profile that is none': extended((file) => insert(file, 30, webpChunk('ICCP', SECRET)), 0x20),
    'a ZIP behind the picture': (file) => join(file, ZIP),
  },
  gif: {
    'a comment': behindScreen(gifExtension(0xfe, SECRET)),
    XMP: behindScreen(gifExtension(0xff, 'XMP DataXMP', SECRET)),
    'a colour profile': behindScreen(gifExtension(0xff, 'ICCRGBG1012', SECRET)),
    text: behindScreen(gifExtension(0x01, '\0'.repeat(12), SECRET)),
    'a note as short as the count of loops': behindScreen(gifExtension(0xff, 'GPS 48.8583', '7 N')),
    'a page behind the picture': (file) => join(file, PAGE),
    'a ZIP behind the picture': (file) => join(file, ZIP),
  },
};

function join(...parts: (Buffer | string)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}

function insert(file: Buffer, at: number, part: Buffer): Buffer {
  return join(file.subarray(0, at), part, file.subarray(at));
}

function segment(marker: number, ...content: (Buffer | string)[]): Buffer {
  const body = join(...content);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return join(head, body);
}

/** Inserts the part after the start marker and the JFIF header. */
function behindStart(part: Buffer): Plant {
  return (file) => insert(file, 20, part);
}

export function pngChunk(type: string, ...content: (Buffer | string)[]): Buffer {
  const body = join(type, ...content);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  return join(length, body, checksum);
}

function behindHeader(part: Buffer): Plant {
  return (file) => insert(file, 33, part);
}

export function webpChunk(type: string, ...content: (Buffer | string)[]): Buffer {
  const body = join(...content);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return join(type, length, body, '\0'.repeat(body.length % 2));
}

/** Changes a file that begins with the extended header, as every WebP with additional data does. */
function extended(change: Plant, flag: number): Plant {
  return (file) => {
    const changed = Buffer.from(change(file));
    changed[20]! |= flag;
    changed.writeUInt32LE(changed.length - 8, 4);
    return changed;
  };
}

function gifExtension(label: number, ...blocks: string[]): Buffer {
  return join(
    '\x21',
    String.fromCharCode(label),
    ...blocks.flatMap((block) => [String.fromCharCode(block.length), block]),
    '\0',
  );
}

/** Inserts the part after the screen descriptor and the colour table. */
function behindScreen(part: Buffer): Plant {
  return (file) => insert(file, 13 + 3 * 2 ** ((file[10]! & 7) + 1), part);
}

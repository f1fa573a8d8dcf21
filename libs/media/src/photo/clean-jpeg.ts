import { isColourProfile } from './icc-profile';
import { checkParts, checkPixels, PhotoRefused } from './refusals';
import { orientationOf, tiffOf, upright, UPRIGHT } from './orientation';
import type { CleanPhoto } from './photo';

/** Markers, as the second byte after 0xFF. */
const [SOF0, SOF2, DHT, RST0, RST7, SOI, EOI, SOS, DQT, DRI, APP0, APP1, APP2, APP14, COM, TEM] = [
  0xc0, 0xc2, 0xc4, 0xd0, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdd, 0xe0, 0xe1, 0xe2, 0xee, 0xfe, 0x01,
];
const PROFILE = 'ICC_PROFILE\0';
const PROFILE_HEADER_BYTES = PROFILE.length + 2;

interface Segment {
  marker: number;
  /** The complete segment: marker, length and content. */
  whole: Buffer;
  content: Buffer;
}

interface Jpeg {
  frame: { width: number; height: number } | null;
  orientation: number;
  /** JFIF and Adobe segments, which define the colours. */
  head: Buffer[];
  profile: Segment[];
  tables: Buffer[];
}

/** Copies only the application segments for colours and orientation. */
export function cleanJpeg(file: Buffer): CleanPhoto {
  const jpeg: Jpeg = { frame: null, orientation: UPRIGHT, head: [], profile: [], tables: [] };
  let position = 2;
  for (let parts = 1; ; parts++) {
    checkParts(parts);
    const marker = findMarker(file, position);
    if (file[marker] === EOI) break;
    if (isBare(file[marker]!)) {
      position = marker + 1;
      continue;
    }
    const segment = segmentAt(file, marker);
    noteSegment(jpeg, segment);
    position = marker + segment.whole.length - 1;
    if (segment.marker === SOS) {
      const end = endOfScan(file, position);
      jpeg.tables.push(file.subarray(position, end));
      position = end;
    }
  }
  if (jpeg.frame === null) throw new PhotoRefused('damaged');
  return { extension: 'jpg', bytes: written(jpeg), ...upright(jpeg.frame, jpeg.orientation) };
}

function noteSegment(jpeg: Jpeg, segment: Segment): void {
  const { marker, whole, content } = segment;
  if (marker === APP0) noteJfif(jpeg, content);
  else if (marker === APP1) noteExif(jpeg, content);
  else if (marker === APP2) noteProfile(jpeg, segment);
  else if (marker === APP14) noteAdobe(jpeg, content);
  else if (marker === COM || (marker > APP0 && marker < APP0 + 16)) return;
  else if (marker >= SOF0 && marker <= SOF2) {
    // A second frame header is refused, because decoders disagree about which one counts.
    if (jpeg.frame !== null) throw new PhotoRefused('damaged');
    jpeg.frame = { width: content.readUInt16BE(3), height: content.readUInt16BE(1) };
    checkPixels(jpeg.frame.width, jpeg.frame.height);
    jpeg.tables.push(whole);
  } else if (marker === DQT || marker === DHT || marker === DRI || (marker === SOS && jpeg.frame !== null)) {
    jpeg.tables.push(whole);
  } else {
    // Refuses lossless, hierarchical and arithmetic JPEGs, which no browser displays, and invalid markers.
    throw new PhotoRefused('damaged');
  }
}

/** Keeps the JFIF segment without its thumbnail. */
function noteJfif(jpeg: Jpeg, content: Buffer): void {
  if (jpeg.head.length > 0 || !content.toString('latin1').startsWith('JFIF\0') || content.length < 14) return;
  jpeg.head.push(segmentOf(APP0, Buffer.concat([content.subarray(0, 12), Buffer.alloc(2)])));
}

function noteExif(jpeg: Jpeg, content: Buffer): void {
  if (jpeg.orientation !== UPRIGHT || content.toString('latin1', 0, 6) !== 'Exif\0\0') return;
  jpeg.orientation = orientationOf(content.subarray(6));
}

function noteAdobe(jpeg: Jpeg, content: Buffer): void {
  if (content.toString('latin1', 0, 5) === 'Adobe' && content.length >= 12) {
    jpeg.tables.push(segmentOf(APP14, content.subarray(0, 12)));
  }
}

function noteProfile(jpeg: Jpeg, segment: Segment): void {
  if (segment.content.toString('latin1', 0, PROFILE.length) === PROFILE) jpeg.profile.push(segment);
}

function written({ head, orientation, profile, tables }: Jpeg): Buffer {
  const exif =
    orientation === UPRIGHT
      ? []
      : [segmentOf(APP1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffOf(orientation)]))];
  return Buffer.concat([
    Buffer.from([0xff, SOI]),
    ...head,
    ...exif,
    ...profileSegments(profile),
    ...tables,
    Buffer.from([0xff, EOI]),
  ]);
}

function profileSegments(segments: Segment[]): Buffer[] {
  const inOrder = segments.toSorted((a, b) => a.content[PROFILE.length]! - b.content[PROFILE.length]!);
  const profile = Buffer.concat(inOrder.map(({ content }) => content.subarray(PROFILE_HEADER_BYTES)));
  return isColourProfile(profile) ? inOrder.map(({ whole }) => whole) : [];
}

function segmentOf(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The position of the next marker, after its 0xFF. Skips bytes before the marker, as decoders do. */
function findMarker(file: Buffer, from: number): number {
  for (let position = from; position + 1 < file.length; position++) {
    if (file[position] === 0xff && file[position + 1] !== 0xff && file[position + 1] !== 0x00) return position + 1;
  }
  throw new PhotoRefused('truncated');
}

function segmentAt(file: Buffer, marker: number): Segment {
  const length = file.readUInt16BE(marker + 1);
  const end = marker + 1 + length;
  if (length < 2) throw new PhotoRefused('damaged');
  return { marker: file[marker]!, whole: file.subarray(marker - 1, end), content: file.subarray(marker + 3, end) };
}

/** Markers without content, which have no meaning between segments. */
function isBare(marker: number): boolean {
  return (marker >= RST0 && marker <= RST7) || marker === TEM;
}

/** Searches byte by byte, because a hostile scan may consist of markers. */
function endOfScan(file: Buffer, from: number): number {
  for (let position = from; position + 1 < file.length; position++) {
    if (file[position] !== 0xff) continue;
    const code = file[position + 1]!;
    const isScan = code === 0x00 || code === 0xff || (code >= RST0 && code <= RST7);
    if (!isScan) return position;
  }
  throw new PhotoRefused('truncated');
}

import { crc32 } from 'node:zlib';
import { BadFeed } from '@passerelle/domain';
import type { Spool } from '../../fetch/spool';

/** An unchecked entry of an archive's directory. The numbers are those of APPNOTE.TXT, sections 4.3.12 and 4.4. */
export interface DirectoryEntry {
  rawName: Buffer;
  /** The name in UTF-8, when an extra field contains it. */
  unicodeName: Buffer | undefined;
  flags: number;
  method: number;
  crc32: number;
  compressedBytes: number;
  sizeBytes: number;
  /** File attributes; Unix writes its own into the upper 16 bits. */
  attributes: number;
  headerAt: number;
}

/** Limits memory; no feed has an archive with so many entries. */
const MAX_ENTRIES = 50_000;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;

const END = { signature: 0x06054b50, bytes: 22, maxCommentBytes: 0xffff };
const LOCATOR_64 = { signature: 0x07064b50, bytes: 20 };
const END_64 = { signature: 0x06064b50, bytes: 56 };
const ENTRY = { signature: 0x02014b50, bytes: 46 };
/** The value of a 32-bit field whose real value is in the ZIP64 extra field. */
const SEE_EXTRA = 0xffffffff;
const ZIP64_EXTRA = 0x0001;
const UNICODE_PATH_EXTRA = { id: 0x7075, version: 1, bytes: 5 };

interface Place {
  count: number;
  bytes: number;
  at: number;
  /** Where the directory really ends; bytes added or missing in front of the archive shift all offsets. */
  endAt: number;
}

/** Reads only the directory at the end. @throws BadFeed when it is cut, damaged, or has too many entries. */
export async function readDirectory(archive: Spool): Promise<DirectoryEntry[]> {
  const place = await findDirectory(archive);
  if (place.count > MAX_ENTRIES || place.bytes > MAX_DIRECTORY_BYTES) {
    throw new BadFeed(`the archive is refused: it has more than ${MAX_ENTRIES} entries`);
  }
  const startAt = place.endAt - place.bytes;
  if (place.count * ENTRY.bytes > place.bytes || startAt < 0) {
    throw new BadFeed('the archive is cut: its directory is missing');
  }
  // The archive's offsets do not count bytes in front of it, such as those of a self-extracting program.
  const shift = startAt - place.at;
  const directory = await archive.read(startAt, place.bytes);
  const entries: DirectoryEntry[] = [];
  let at = 0;
  for (let index = 0; index < place.count; index += 1) {
    if (!startsEntry(directory, at)) throw damaged();
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const next = at + ENTRY.bytes + nameBytes! + extraBytes! + commentBytes!;
    if (next > directory.length) throw damaged();
    entries.push(entryAt(directory, at, nameBytes!, extraBytes!, shift));
    at = next;
  }
  // A 16-bit count wraps beyond 65,535 entries, and some writers do not update it.
  if (startsEntry(directory, at)) throw damaged();
  return entries;
}

function startsEntry(directory: Buffer, at: number): boolean {
  return at + ENTRY.bytes <= directory.length && directory.readUInt32LE(at) === ENTRY.signature;
}

function entryAt(directory: Buffer, at: number, nameBytes: number, extraBytes: number, shift: number): DirectoryEntry {
  const nameAt = at + ENTRY.bytes;
  const rawName = Buffer.from(directory.subarray(nameAt, nameAt + nameBytes));
  const extra = directory.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes);
  // ZIP64: values that do not fit into 32 bits are in the extra field, in this order.
  const [sizeBytes, compressedBytes, headerAt] = widened(
    [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)],
    extra,
  );
  return {
    rawName,
    unicodeName: unicodePath(extra, rawName),
    flags: directory.readUInt16LE(at + 8),
    method: directory.readUInt16LE(at + 10),
    crc32: directory.readUInt32LE(at + 16),
    attributes: directory.readUInt32LE(at + 38),
    compressedBytes: compressedBytes!,
    sizeBytes: sizeBytes!,
    headerAt: headerAt! + shift,
  };
}

function widened(values: readonly number[], extra: Buffer): number[] {
  const wide = values.includes(SEE_EXTRA) ? extraField(extra, ZIP64_EXTRA) : undefined;
  if (wide === undefined) return [...values];
  let at = 0;
  return values.map((value) => {
    if (value !== SEE_EXTRA || at + 8 > wide.length) return value;
    at += 8;
    return safeNumber(wide, at - 8);
  });
}

/** Info-ZIP's second name of an entry, in UTF-8. A program that renames the entry may leave this field unchanged. */
function unicodePath(extra: Buffer, rawName: Buffer): Buffer | undefined {
  const field = extraField(extra, UNICODE_PATH_EXTRA.id);
  if (field === undefined || field.length <= UNICODE_PATH_EXTRA.bytes) return undefined;
  const isOfName = field.readUInt8(0) === UNICODE_PATH_EXTRA.version && field.readUInt32LE(1) === crc32(rawName);
  return isOfName ? Buffer.from(field.subarray(UNICODE_PATH_EXTRA.bytes)) : undefined;
}

function extraField(extra: Buffer, wanted: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)];
    if (id === wanted) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

async function findDirectory(archive: Spool): Promise<Place> {
  const tailAt = Math.max(0, archive.sizeBytes - END.bytes - END.maxCommentBytes - LOCATOR_64.bytes);
  const tail = await archive.read(tailAt, archive.sizeBytes - tailAt);
  for (let at = tail.length - END.bytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END.signature) continue;
    if (at + END.bytes + tail.readUInt16LE(at + 20) > tail.length) continue;
    const place = {
      count: tail.readUInt16LE(at + 10),
      bytes: tail.readUInt32LE(at + 12),
      at: tail.readUInt32LE(at + 16),
      endAt: tailAt + at,
    };
    const hasLocator = at >= LOCATOR_64.bytes && tail.readUInt32LE(at - LOCATOR_64.bytes) === LOCATOR_64.signature;
    return hasLocator ? await widePlace(archive, safeNumber(tail, at - LOCATOR_64.bytes + 8), place) : place;
  }
  throw damaged();
}

async function widePlace(archive: Spool, endAt: number, place: Place): Promise<Place> {
  const end = await archive.read(endAt, END_64.bytes);
  if (end.length < END_64.bytes || end.readUInt32LE(0) !== END_64.signature) return place;
  return { count: safeNumber(end, 32), bytes: safeNumber(end, 40), at: safeNumber(end, 48), endAt };
}

function safeNumber(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged();
  return Number(value);
}

function damaged(): BadFeed {
  return new BadFeed('the archive is cut, or damaged');
}

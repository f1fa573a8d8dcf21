import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import iconv from 'iconv-lite';
import { BadFeed } from '@passerelle/domain';
import { compressionFault, decompress } from './decompress';
import type { Spool } from '../../fetch/spool';
import { type DirectoryEntry, readDirectory } from './zip-directory';

/** One file of an archive, checked but not inflated. */
export interface ZipEntry {
  /** The path as the archive spells it, with `/` as separator. */
  name: string;
  /** Another reading of the name, when the archive does not state the name's encoding. */
  otherName: string | undefined;
  sizeBytes: number;
  crc32: number;
  isDeflated: boolean;
  /** @throws BadFeed when the archive does not contain the bytes. */
  compressedBytes(): AsyncIterable<Buffer>;
}

/** Smaller files may have any compression ratio. */
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;
const MAX_RATIO = 200;

const STORED = 0;
const DEFLATED = 8;
const FLAG_ENCRYPTED = 0x0001;
const FLAG_STRONGLY_ENCRYPTED = 0x0040;
const FLAG_UTF8_NAME = 0x0800;
const FILE_TYPE_BITS = 0xf000;
const SYMBOLIC_LINK = 0xa000;
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
const READ_BYTES = 256 * 1024;
/** Images and PDFs may have any compression ratio: they are read one by one, and a blank photo compresses well. */
const IMAGE_OR_PDF = /\.(?:jpe?g|png|gif|bmp|webp|tiff?|heic|pdf)$/i;

/** Checks the directory before inflating. One bad entry makes the archive invalid. @throws BadFeed naming the entry. */
export async function zipEntries(archive: Spool, maxTotalBytes: number): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let totalBytes = 0;
  for (const entry of await readDirectory(archive)) {
    const { sizeBytes, compressedBytes, method, flags, attributes } = entry;
    const name = nameOf(entry);
    const refuse = (why: string): BadFeed =>
      new BadFeed(`the archive is refused: its entry ${JSON.stringify(name.slice(0, 120))} ${why}`);
    if (isUnsafeName(name)) throw refuse('leads out of the archive');
    if (((attributes >>> 16) & FILE_TYPE_BITS) === SYMBOLIC_LINK) throw refuse('is a symbolic link');
    if ((flags & (FLAG_ENCRYPTED | FLAG_STRONGLY_ENCRYPTED)) !== 0) throw refuse('is encrypted');
    if (method !== STORED && method !== DEFLATED) throw refuse('is compressed in an unknown way');
    if (method === STORED && sizeBytes !== compressedBytes) throw refuse('has two different sizes');
    if (sizeBytes > RATIO_COUNTS_FROM_BYTES && sizeBytes > compressedBytes * MAX_RATIO && !IMAGE_OR_PDF.test(name)) {
      throw refuse(`says that it grows more than ${MAX_RATIO} times`);
    }
    if (names.has(name)) throw new BadFeed('the archive is refused: two entries have one name');
    names.add(name);
    totalBytes += sizeBytes;
    if (totalBytes > maxTotalBytes) throw refuse('makes the archive larger than the limit allows');
    if (isIgnored(name)) continue;
    entries.push({
      name,
      otherName: otherNameOf(entry),
      sizeBytes,
      crc32: entry.crc32,
      isDeflated: method === DEFLATED,
      compressedBytes: () => compressedPieces(archive, entry, name),
    });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Never yields more bytes than the directory says.
 * @throws BadFeed when bytes are damaged or their number differs; results of earlier bytes must not be published.
 */
export async function* zipEntryBytes(entry: ZipEntry): AsyncGenerator<Buffer, void, undefined> {
  const name = JSON.stringify(entry.name);
  const compressed = entry.compressedBytes();
  let sizeBytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of entry.isDeflated ? decompress(compressed, 'deflate-raw') : compressed) {
      sizeBytes += chunk.length;
      if (sizeBytes > entry.sizeBytes) throw new BadFeed(`the archive's entry ${name} is larger than it says`);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    const fault = compressionFault(error);
    if (fault === undefined) throw error;
    throw new BadFeed(`the archive's entry ${name} is ${fault}`, { cause: error });
  }
  if (sizeBytes < entry.sizeBytes) throw new BadFeed(`the archive's entry ${name} is cut`);
  if (checksum !== entry.crc32) throw new BadFeed(`the archive's entry ${name} is damaged: its checksum is wrong`);
}

async function* compressedPieces(
  archive: Spool,
  { headerAt, compressedBytes }: DirectoryEntry,
  name: string,
): AsyncGenerator<Buffer, void, undefined> {
  const cut = (): BadFeed => new BadFeed(`the archive is cut: the bytes of ${JSON.stringify(name)} are missing`);
  const header = await archive.read(headerAt, LOCAL_HEADER.bytes);
  if (header.length < LOCAL_HEADER.bytes || header.readUInt32LE(0) !== LOCAL_HEADER.signature) throw cut();
  const startAt = headerAt + LOCAL_HEADER.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (startAt + compressedBytes > archive.sizeBytes) throw cut();
  for (let done = 0; done < compressedBytes; done += READ_BYTES) {
    const piece = await archive.read(startAt + done, Math.min(READ_BYTES, compressedBytes - done));
    if (piece.length === 0) throw cut();
    yield piece;
  }
}

function nameOf(entry: DirectoryEntry): string {
  const { rawName, unicodeName = rawName } = entry;
  return (isInUtf8(entry) ? unicodeName.toString('utf8') : iconv.decode(rawName, 'cp437')).replaceAll('\\', '/');
}

/** Windows programs in western Europe write names in Windows-1252. */
function otherNameOf(entry: DirectoryEntry): string | undefined {
  return isInUtf8(entry) ? undefined : iconv.decode(entry.rawName, 'windows-1252').replaceAll('\\', '/');
}

function isInUtf8({ rawName, unicodeName, flags }: DirectoryEntry): boolean {
  return unicodeName !== undefined || (flags & FLAG_UTF8_NAME) !== 0 || isUtf8(rawName);
}

function isUnsafeName(name: string): boolean {
  return (
    name === '' ||
    name.includes('\0') ||
    name.startsWith('/') ||
    /^[a-z]:/i.test(name) ||
    name.split('/').includes('..')
  );
}

function isIgnored(name: string): boolean {
  const file = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return file === '' || file === 'thumbs.db' || file === '.ds_store' || /(^|\/)__MACOSX\//i.test(name);
}

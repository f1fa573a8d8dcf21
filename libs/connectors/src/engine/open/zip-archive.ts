import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import AdmZip from 'adm-zip';
import iconv from 'iconv-lite';
import { BadFeed } from '@passerelle/domain';
import { compressionFault, decompress } from '../decompress';

/** One file of an archive, checked but not inflated. */
export interface ZipEntry {
  /** As the archive spells it, with `/`. */
  name: string;
  sizeBytes: number;
  crc32: number;
  isDeflated: boolean;
  /** @throws BadFeed when the archive does not hold them. */
  compressedBytes(): Buffer;
}

/** Archives are held in memory while they are read; larger ones are refused. */
export const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
/** Smaller files may have any ratio. */
const RATIO_COUNTS_FROM_BYTES = 1024 * 1024;
const MAX_RATIO = 200;

const STORED = 0;
const DEFLATED = 8;
const FLAG_ENCRYPTED = 0x0001;
const FLAG_STRONGLY_ENCRYPTED = 0x0040;
const FLAG_UTF8_NAME = 0x0800;
const FILE_TYPE_BITS = 0xf000;
const SYMBOLIC_LINK = 0xa000;
const CENTRAL_HEADER_BYTES = 46;

/**
 * The files of an archive. Everything that the directory says is checked before a byte is inflated, and one bad entry
 * makes the whole archive refused: no honest CRM makes such entries.
 *
 * @throws BadFeed naming the entry.
 */
export function zipEntries(archive: Buffer, maxTotalBytes: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let totalBytes = 0;
  for (const entry of directoryOf(archive)) {
    const { header, rawEntryName } = entry;
    const name = nameOf(rawEntryName, header.flags);
    const refuse = (why: string): BadFeed =>
      new BadFeed(`the archive is refused: its entry ${JSON.stringify(name.slice(0, 120))} ${why}`);
    if (isUnsafeName(name)) throw refuse('leads out of the archive');
    if (((header.attr >>> 16) & FILE_TYPE_BITS) === SYMBOLIC_LINK) throw refuse('is a symbolic link');
    if ((header.flags & (FLAG_ENCRYPTED | FLAG_STRONGLY_ENCRYPTED)) !== 0) throw refuse('is encrypted');
    if (header.method !== STORED && header.method !== DEFLATED) throw refuse('is compressed in an unknown way');
    if (header.method === STORED && header.size !== header.compressedSize) throw refuse('has two different sizes');
    if (header.size > RATIO_COUNTS_FROM_BYTES && header.size > header.compressedSize * MAX_RATIO) {
      throw refuse(`says that it grows more than ${MAX_RATIO} times`);
    }
    totalBytes += header.size;
    if (totalBytes > maxTotalBytes) throw refuse('makes the archive larger than the limit allows');
    if (isIgnored(name)) continue;
    entries.push({
      name,
      sizeBytes: header.size,
      crc32: header.crc,
      isDeflated: header.method === DEFLATED,
      compressedBytes() {
        try {
          return entry.getCompressedData();
        } catch (error) {
          throw new BadFeed(`the archive is cut: the bytes of ${JSON.stringify(name)} are missing`, { cause: error });
        }
      },
    });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The bytes of an entry, as a stream that never yields more than the directory says.
 *
 * @throws BadFeed where the bytes turn out to be cut, damaged, or more or fewer than the directory says. The bytes
 * before that point have been yielded: whatever was made of them must not be published.
 */
export async function* zipEntryBytes(entry: ZipEntry): AsyncGenerator<Buffer, void, undefined> {
  const name = JSON.stringify(entry.name);
  const compressed = inOnePiece(entry.compressedBytes());
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

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  await Promise.resolve();
  if (bytes.length > 0) yield bytes;
}

function directoryOf(archive: Buffer): AdmZip.IZipEntry[] {
  try {
    const zip = new AdmZip(archive, { noSort: true });
    // The end record has the count: check it before creating an object for each entry.
    const count = zip.getEntryCount();
    if (count > MAX_ENTRIES) throw new BadFeed(`the archive is refused: it has more than ${MAX_ENTRIES} entries`);
    if (count * CENTRAL_HEADER_BYTES > archive.length)
      throw new BadFeed('the archive is cut: its directory is missing');
    return zip.getEntries();
  } catch (error) {
    if (error instanceof BadFeed) throw error;
    const isDuplicate = error instanceof Error && /duplicate/i.test(error.message);
    throw new BadFeed(
      isDuplicate ? 'the archive is refused: two entries have one name' : 'the archive is cut, or damaged',
      { cause: error },
    );
  }
}

function nameOf(raw: Buffer, flags: number): string {
  const isInUtf8 = (flags & FLAG_UTF8_NAME) !== 0 || isUtf8(raw);
  return (isInUtf8 ? raw.toString('utf8') : iconv.decode(raw, 'cp437')).replaceAll('\\', '/');
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

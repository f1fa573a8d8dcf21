import { BadFeed } from '@passerelle/domain';
import type { FeedDocument } from '../../../kit/contracts';
import type { Opening } from '../../../kit/feed-shape';
import type { ArchiveFiles } from '../../contracts';
import { compressionFault, decompress } from './decompress';
import type { Spool } from '../../fetch/spool';
import { decodeText } from '../encoding';
import { archiveFiles, NO_FILES } from './archive-files';
import { zipEntries, type ZipEntry, zipEntryBytes } from './zip-archive';

export interface OpenedDocuments {
  documents: FeedDocument[];
  sidecars: Record<string, string>;
  files: ArchiveFiles;
}

const MAX_SIDECAR_BYTES = 64 * 1024;
const LISTED_NAMES = 10;

/** Spools an archive inside an archive. The spooled file lives until the session ends. */
export type SpoolEntry = (chunks: AsyncIterable<Buffer>) => Promise<Spool>;

/** Opens an archive or a document, perhaps gzipped; its first bytes decide, not its name or type. @throws BadFeed */
export async function openDocuments(
  spool: Spool,
  opening: Opening,
  maxBytes: number,
  spoolEntry?: SpoolEntry,
): Promise<OpenedDocuments> {
  if (spool.sizeBytes === 0) throw new BadFeed('the feed is empty (0 bytes)');
  const magic = await spool.read(0, 4);
  if (isZip(magic)) {
    if (opening.container === 'plain')
      throw new BadFeed('the feed is a ZIP archive, which this connector does not read');
    return await openZip(spool, opening, maxBytes, spoolEntry);
  }
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b;
  const document: FeedDocument = { name: 'feed', open: isGzip ? () => gunzipped(spool, maxBytes) : () => spool.open() };
  return { documents: [document], sidecars: {}, files: NO_FILES };
}

function isZip(magic: Buffer): boolean {
  if (magic[0] !== 0x50 || magic[1] !== 0x4b) return false;
  // The signature of a first entry, of the end record of an empty archive, or of a split archive.
  return (magic[2] === 3 && magic[3] === 4) || (magic[2] === 5 && magic[3] === 6) || (magic[2] === 7 && magic[3] === 8);
}

async function* gunzipped(spool: Spool, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  try {
    for await (const chunk of decompress(copiesOf(spool.open()), 'gzip')) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BadFeed(`the compressed feed is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    const fault = compressionFault(error);
    throw fault === undefined ? error : new BadFeed(`the compressed feed is ${fault}`, { cause: error });
  }
}

/** A stream that reads ahead needs copies, because spools reuse their buffers. */
async function* copiesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

async function openZip(
  spool: Spool,
  opening: Opening,
  maxBytes: number,
  spoolEntry: SpoolEntry | undefined,
): Promise<OpenedDocuments> {
  const entries = await entriesOf(spool, opening, maxBytes, spoolEntry);
  const lowerNames = lowerNamesOf(entries);
  const documents: FeedDocument[] = [];
  const sidecars: Record<string, string> = {};
  let found = 0;
  let isComplete = false;
  for (const [at, entry] of entries.entries()) {
    const lowerName = lowerNames[at]!;
    if (opening.holdsRecords?.(lowerName, lowerNames) ?? true) {
      found += 1;
      // An empty file has no records. It would look damaged to the format, so the format does not get it.
      if (entry.sizeBytes > 0) documents.push({ name: entry.name, open: () => zipEntryBytes(entry) });
      continue;
    }
    for (const [name, matches] of Object.entries(opening.sidecars ?? {})) {
      if (entry.sizeBytes <= MAX_SIDECAR_BYTES && matches(lowerName)) sidecars[name] = await textOf(entry);
    }
    const { completePhotos } = opening;
    if (entry.sizeBytes <= MAX_SIDECAR_BYTES && completePhotos?.named(lowerName) === true) {
      isComplete = completePhotos.says(await textOf(entry));
    }
  }
  if (found === 0) throw new BadFeed(`the archive does not hold the file that was expected: it has ${listed(entries)}`);
  return { documents, sidecars, files: archiveFiles(entries, isComplete) };
}

/** If no file matches, opens archives inside, one level deep, because some exporters wrap their usual archive. */
async function entriesOf(
  spool: Spool,
  opening: Opening,
  maxBytes: number,
  spoolEntry: SpoolEntry | undefined,
): Promise<ZipEntry[]> {
  const outer = await zipEntries(spool, maxBytes);
  const names = lowerNamesOf(outer);
  const isExpected = (name: string): boolean => opening.holdsRecords?.(name, names) ?? true;
  if (spoolEntry === undefined || !names.some(isArchive) || names.some(isExpected)) return outer;
  const entries: ZipEntry[] = [];
  let bytes = outer.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const entry of outer) {
    if (!isArchive(entry.name) || entry.sizeBytes === 0) {
      entries.push(entry);
      continue;
    }
    const inner = await zipEntries(await spoolEntry(copiesOf(zipEntryBytes(entry))), maxBytes - bytes);
    bytes += inner.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const folder = `${entry.name.slice(0, -'.zip'.length)}/`;
    for (const file of inner) {
      entries.push({
        ...file,
        name: `${folder}${file.name}`,
        otherName: file.otherName === undefined ? undefined : `${folder}${file.otherName}`,
      });
    }
  }
  return entries;
}

function isArchive(name: string): boolean {
  return /\.zip$/i.test(name);
}

function lowerNamesOf(entries: readonly ZipEntry[]): string[] {
  return entries.map(({ name }) => name.toLowerCase());
}

function listed(entries: readonly ZipEntry[]): string {
  if (entries.length === 0) return 'no files';
  const names = entries.slice(0, LISTED_NAMES).map((entry) => JSON.stringify(entry.name.slice(0, 80)));
  const more = entries.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

async function textOf(entry: ZipEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of zipEntryBytes(entry)) chunks.push(chunk);
  return decodeText(Buffer.concat(chunks)).text;
}

import { composedName } from '@passerelle/domain';
import { type Connector, type FeedDocument, type RecordContext, RecordError } from '../../kit/contracts';
import type { FileField, PhotoSeriesRule, SeriesOfRecord } from '../../kit/photo-series';
import type { ArchiveFiles } from '../contracts';
import { parseContext, EventLoopYield } from '../feed-pass';
import { type NamedPhoto, PhotoSeries, readName, recordKey, unnamedKinds, withoutExtension } from './photo-series';

interface SeriesSource {
  connector: Connector;
  documents: readonly FeedDocument[];
  files: ArchiveFiles;
  settings: RecordContext['settings'];
  signal: AbortSignal;
}

/**
 * Assigns photo files to listings by their names. A photo that may belong to two listings is not assigned, because a
 * photo of the wrong house is worse than no photo.
 */
export async function findPhotoSeries(source: SeriesSource): Promise<PhotoSeries> {
  const found = new PhotoSeries();
  const rule = source.connector.photoSeries;
  const photosByStem = rule === undefined ? new Map<string, NamedPhoto[]>() : byStem(rule, source.files.names);
  if (rule === undefined || photosByStem.size === 0) return found;
  const claims = new Claims();
  const wanting: { key: string; id: string; stems: string[]; kinds: ReadonlySet<FileField> }[] = [];
  for await (const { key, id, stems, named } of recordsOf(source, rule)) {
    claims.add(id, stems, Object.values(named).flat());
    const kinds = unnamedKinds(named);
    const own = kinds.size === 0 ? [] : stems.filter((stem) => photosByStem.has(stem));
    if (own.length > 0) wanting.push({ key, id, stems: own, kinds });
  }
  for (const { key, id, stems, kinds } of wanting) {
    const photos = stems.filter((stem) => claims.isOnlyOf(id, stem)).flatMap((stem) => photosByStem.get(stem)!);
    found.add(
      key,
      photos.filter(({ name, kind = 'photos' }) => kinds.has(kind) && !claims.isOfAnother(id, name)),
    );
  }
  return found;
}

/** The listings that each file name may belong to. */
class Claims {
  /** Listing ids by stem; null when several listings share the stem. */
  private readonly owners = new Map<string, string | null>();
  /** Files that records name. */
  private readonly named = new Set<string>();

  add(id: string, stems: readonly string[], named: readonly string[]): void {
    for (const stem of stems) {
      const owner = this.owners.get(stem);
      this.owners.set(stem, owner === undefined || owner === id ? id : null);
    }
    for (const name of named) this.named.add(fileNameOf(name));
  }

  isOnlyOf(id: string, stem: string): boolean {
    return this.owners.get(stem) === id;
  }

  /**
   * Whether the file may belong to another listing: a record names it, or its name is the other listing's stem. For
   * example, `12-1.jpg` may be a photo of listing 12-1.
   */
  isOfAnother(id: string, name: string): boolean {
    const owner = this.owners.get(withoutExtension(name));
    return this.named.has(name) || (owner !== undefined && owner !== id);
  }
}

/** The photo names and stems of each readable record. */
async function* recordsOf(
  { connector, documents, settings, signal }: SeriesSource,
  rule: PhotoSeriesRule<unknown>,
): AsyncGenerator<SeriesOfRecord & { key: string }> {
  const loopYield = new EventLoopYield(signal);
  const context: RecordContext = { crm: connector.code, settings, feed: {}, warn: () => undefined };
  for (const document of documents) {
    for await (const slice of connector.format.slice(document)) {
      if (loopYield.isDue()) await loopYield.wait();
      if (slice.kind === 'context') {
        context.feed = { ...context.feed, [slice.name]: parseContext({ connector, reader: context }, slice) };
      }
      if (slice.kind !== 'record') continue;
      const series = orUndefined(() => rule.of(connector.format.parse(slice.bytes, context)));
      if (series !== undefined) yield { ...series, key: recordKey(slice.bytes) };
    }
  }
}

function byStem(rule: PhotoSeriesRule<unknown>, names: Iterable<string>): Map<string, NamedPhoto[]> {
  const photos = new Map<string, NamedPhoto[]>();
  for (const name of names) {
    const photo = readName(rule, name);
    if (photo === undefined) continue;
    const others = photos.get(photo.stem);
    if (others === undefined) photos.set(photo.stem, [photo]);
    else others.push(photo);
  }
  return photos;
}

/** The file name in the same form as the archive's names. */
function fileNameOf(name: string): string {
  return composedName(name.trim()).toLowerCase().split(/[\\/]/).at(-1)!;
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

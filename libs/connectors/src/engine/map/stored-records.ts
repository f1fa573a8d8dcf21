import type { Listing } from '@passerelle/domain';
import { RAW_IDENTITY_FIELDS } from '@passerelle/domain';
import type { Connector, SourceConfig } from '../../kit/contracts';
import type { FeedMemory, PhotoIntake, RecordOutcome } from '../contracts';
import { NO_FILES } from '../cut/open/archive-files';
import { PhotoFiles } from '../photos/photo-files';
import { PhotoSeries } from '../photos/photo-series';
import { mappingKeyOf, mappingOf } from './record-hash';
import { RecordReader } from './record-reader';
import { mapWithinLimit, STOPPED } from './time-limit';

type Listed = Extract<RecordOutcome, { kind: 'listing' }>;

/** A listing as it is stored. */
export interface StoredListing {
  affId: string;
  scope: string;
  /** JSON texts. */
  normalized: string;
  raw: string;
}

/** Warnings of stored records belong to the run that read them. */
const NO_WARNINGS = { note: () => undefined, settle: () => undefined };
const NO_HASHER = { hashOf: () => '', setContext: () => undefined };

/**
 * Whether stored raw records have everything for this connector's mapping of a gateway that was last mapped otherwise.
 * The settings and the address must be the same as then.
 */
export function canRemap(connector: Connector, source: SourceConfig, memory: FeedMemory, photosKey?: string): boolean {
  const { remap } = connector;
  const { mappedAs, mappingKey, beside } = memory;
  if (remap === undefined || 'not' in remap || mappedAs === undefined || mappedAs === mappingOf(connector))
    return false;
  return (
    beside !== undefined &&
    Number.parseInt(mappedAs, 10) >= remap.since &&
    mappingKey === mappingKeyOf(connector, source, photosKey, mappedAs)
  );
}

/** Letters of JSON that a gateway keeps of the elements beside its records. */
const MOST_BESIDE = 64 * 1024;

/** The elements of a feed that a mapping from stored records reads; undefined if this feed allows no such mapping. */
export function besideRecords(
  { remap }: Pick<Connector, 'remap'>,
  feed: RecordReader['feed'],
  differing: ReadonlySet<string>,
): Readonly<Record<string, unknown>> | undefined {
  if (remap === undefined || 'not' in remap) return undefined;
  const names = remap.beside ?? [];
  const beside = Object.fromEntries(names.map((name) => [name, feed[name]]));
  if (names.some((name) => differing.has(name)) || JSON.stringify(beside).length > MOST_BESIDE) return undefined;
  return beside;
}

/** Maps listings again from their stored raw records, without the source. */
export class StoredRecords {
  private readonly reader: RecordReader;

  /** @param photos finds the files of earlier runs; it must not need any file */
  constructor(
    private readonly connector: Connector,
    settings: Readonly<Record<string, string>>,
    beside: Readonly<Record<string, unknown>>,
    private readonly photos: PhotoIntake,
  ) {
    this.reader = new RecordReader(connector, settings, NO_HASHER, () => false, NO_WARNINGS);
    for (const [name, value] of Object.entries(beside)) this.reader.setContext(name, value);
  }

  /**
   * Returns null when only the source's record can tell, so that the next run must read it: the mapping refuses the
   * stored record, is too slow, gives it another identifier, or the listing would lose a field, because private parts
   * of the record are not stored. So no listing leaves. @throws the intake's error
   */
  async map(stored: StoredListing, recordHash: string): Promise<Listed | null> {
    const { connector, reader } = this;
    if (connector.open.container !== 'plain') reader.photoFiles = await this.photoFilesOf(stored);
    const raw = JSON.parse(stored.raw) as Record<string, unknown>;
    for (const name of RAW_IDENTITY_FIELDS) Reflect.deleteProperty(raw, name);
    const mapped = mapWithinLimit(stored.raw.length, () => reader.remap(raw, stored.affId, recordHash));
    const outcome = mapped === STOPPED ? undefined : await mapped;
    if (outcome?.kind !== 'listing' || outcome.affId !== stored.affId || outcome.scope !== stored.scope) return null;
    return this.losesNothing(stored.normalized, outcome.normalized) ? outcome : null;
  }

  private losesNothing(stored: string, mapped: Buffer): boolean {
    const text = mapped.toString();
    if (text === stored) return true;
    const [before, after] = [stored, text].map((one) => JSON.parse(one) as Listing) as [Listing, Listing];
    const addresses = new Set(
      [...after.photos, ...(after.plans ?? []), ...(after.documents ?? [])].map(({ url }) => url),
    );
    const { key } = this.photos;
    const keepsFiles = (['photos', 'plans', 'documents'] as const).every((field) => {
      const [files = [], now = []] = [before[field], after[field]];
      return now.length >= files.length && files.every(({ url }) => !isOfStore(url, key) || addresses.has(url));
    });
    return keepsFiles && Object.keys(before).every((field) => Object.hasOwn(after, field));
  }

  private async photoFilesOf({ affId }: StoredListing): Promise<PhotoFiles> {
    const [first] = (await this.photos.ofListing?.(affId)) ?? [];
    return new PhotoFiles(this.photos, NO_FILES, first?.folder.replace('*/', '') ?? '', new PhotoSeries());
  }
}

function isOfStore(url: string, key: string): boolean {
  return key !== '' && url.startsWith(key);
}

import {
  type Connector,
  type RecognizedRecord,
  type RecordContext,
  RecordError,
  type Slice,
} from '../../kit/contracts';
import type { RecordOutcome } from '../contracts';
import { isShell } from '../../kit/listing-mapping';
import { finishListing } from './finished-listing';
import { type PhotoFiles, type SettledListing, withAddressesOnly } from '../photos/photo-files';
import { unnamedKinds } from '../photos/photo-series';
import type { RecordHasher } from './record-hash';
import { hasOnlyAddresses, idOf, listed, type PreparedRecord, shortened } from './prepared-record';
import { positionInFeed, rejectedFor, withdrawn } from './rejections';
import { TextBlocks } from './text-blocks';
import type { ThreadedReading } from './threads/mapping-threads';
import { type RecordWarnings, WarningLog } from './threads/warning-log';
import { LARGE_BYTES, mapWithinLimit, STOPPED } from './time-limit';
import type { WarningSink } from './warning-tally';

export type RecordSlice = Omit<Extract<Slice, { kind: 'record' }>, 'kind'>;
type Known = Pick<RecordSlice, 'bytes' | 'recognized' | 'hash'>;

/** Turns sliced records into outcomes, one by one. A bad record never ends the feed. */
export class RecordReader {
  /** Finds the photo files of the following records; null when no photo can come as a file. */
  photoFiles: PhotoFiles | null = null;
  /** The mapping's input in addition to the record. */
  feed: Readonly<Record<string, unknown>> = {};
  private readonly texts = new TextBlocks();
  /** Identifiers by hash, because a list may be walked several times. */
  private readonly ids = new Map<string, string>();
  private context: RecordContext;

  constructor(
    private readonly connector: Connector,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly hasher: Pick<RecordHasher, 'hashOf' | 'setContext'>,
    private readonly isKnown: (hash: string) => boolean,
    private warnings: WarningSink,
    /** For records that are large or slow; without it all records are mapped here, without a time limit. */
    private readonly threads?: Pick<ThreadedReading, 'prepare'>,
  ) {
    this.context = this.makeContext();
  }

  /** Adds to the mapping's input; if `value` differs from the last run's, the following records are mapped again. */
  setContext(name: string, value: unknown): void {
    this.feed = { ...this.feed, [name]: value };
    this.hasher.setContext(name, value);
    this.context = this.makeContext();
  }

  /** Maps a record that was stored in its raw form. @param hash for the outcome */
  remap(raw: Readonly<Record<string, unknown>>, affId: string, hash: string): RecordOutcome | Promise<RecordOutcome> {
    const slice = { line: 0, bytes: Buffer.alloc(0) };
    const parse = (): unknown => this.connector.format.fromRaw?.(raw, affId, this.context) ?? raw;
    return this.complete(this.prepareOne(slice, 0, this.photoFiles !== null, parse), slice, 0, hash);
  }

  /** Returns a promise only for a record with photo files or from a thread; the next read must wait for it. */
  read(slice: RecordSlice, position: number): RecordOutcome | Promise<RecordOutcome> {
    const hash = this.hashOf(slice);
    if (this.isRecognized(slice) || this.isKnown(hash)) return { kind: 'unchanged', position, hash };
    const outcome = this.mapLimited(slice, position, hash);
    if (outcome instanceof Promise) return outcome.then((settled) => this.settle(settled));
    return this.settle(outcome);
  }

  /** Maps a small record in this thread, and a large or slow one in another. */
  private mapLimited(slice: RecordSlice, position: number, hash: string): RecordOutcome | Promise<RecordOutcome> {
    const { threads } = this;
    if (threads === undefined) return this.mapOne(slice, position, hash);
    const log = new WarningLog();
    const prepare = (): PreparedRecord =>
      this.prepare(slice, position, { findsSeries: this.photoFiles !== null, warnings: log });
    const prepared = slice.bytes.length > LARGE_BYTES ? STOPPED : this.withinLimit(slice.bytes.length, prepare);
    if (prepared !== STOPPED) {
      log.settle(undefined);
      this.take(log.records);
      return this.complete(prepared, slice, position, hash);
    }
    const { line } = slice;
    const own = { line, bytes: Buffer.from(slice.bytes) };
    return threads.prepare({ ...own, position, hash }).then((batch) => {
      this.take(batch.warnings);
      return this.complete(batch.prepared, own, position, hash);
    });
  }

  private take(records: readonly RecordWarnings[]): void {
    for (const { notes } of records) {
      for (const [code, field, value, count] of notes) this.warnings.note(code, field, value, count);
    }
  }

  /** Restores the warning sink, because an interrupted mapping leaves the record's own sink in place. */
  private withinLimit<T>(bytes: number, work: () => T): T | typeof STOPPED {
    return this.noting(this.warnings, () => mapWithinLimit(bytes, work));
  }

  hashOf(slice: Known): string {
    if (slice.hash !== undefined) return slice.hash;
    if (this.isRecognized(slice)) return slice.recognized!.hash;
    return this.hasher.hashOf(slice.bytes, this.photoFiles?.namesFor(slice.bytes));
  }

  /** Whether the document has recognized the record, with the same elements beside it. */
  isRecognized({ recognized }: Pick<RecordSlice, 'recognized'>): boolean {
    return recognized?.feed === this.feed;
  }

  recognize(bytes: Buffer): RecognizedRecord | undefined {
    const hash = this.hashOf({ bytes });
    return this.isKnown(hash) ? { hash, feed: this.feed } : undefined;
  }

  /** Maps even if the hash is known. The record must have no photo files. @param warnings replaces the reader's sink */
  map(slice: RecordSlice, position: number, hash: string, warnings: WarningSink): RecordOutcome {
    return this.noting(warnings, () => {
      const outcome = this.mapOne(slice, position, hash);
      if (outcome instanceof Promise) throw new Error('a record with photos as files must be mapped alone');
      return this.settle(outcome);
    });
  }

  /** The same with a time limit, because this thread also answers probes. @returns `STOPPED` when it took too long. */
  mapWithinLimit(
    records: readonly (RecordSlice & { position: number; hash: string })[],
    warnings: WarningSink,
  ): RecordOutcome[] | typeof STOPPED {
    // The largest record decides, because the limit starts a thread, which takes as long as mapping several records.
    const bytes = records.reduce((most, record) => Math.max(most, record.bytes.length), 0);
    return this.withinLimit(bytes, () => records.map((one) => this.map(one, one.position, one.hash, warnings)));
  }

  /** The identifier that the mapping gives to a record, else the record's hash. Adds no warnings. */
  identify(bytes: Buffer): string {
    const hash = this.hasher.hashOf(bytes);
    const known = this.ids.get(hash);
    if (known !== undefined) return known;
    const isLarge = bytes.length > LARGE_BYTES;
    const id = isLarge ? STOPPED : this.withinLimit(bytes.length, () => this.mappedId(bytes, (record) => record));
    const found = id === STOPPED ? hash : (id ?? hash);
    this.ids.set(hash, found);
    return found;
  }

  /** The identifier of a record whose mapping takes too long, from shortened texts. Adds no warnings. */
  shortId(bytes: Buffer): string | undefined {
    try {
      return this.mappedId(bytes, shortened);
    } catch {
      return undefined;
    }
  }

  /** A parsed record; undefined when it cannot be parsed. Adds no warnings. */
  tryParse(bytes: Buffer): unknown {
    try {
      return this.connector.format.parse(bytes, this.silent);
    } catch (error) {
      if (error instanceof RecordError) return undefined;
      throw error;
    }
  }

  /** The excerpt contains none of the bytes, because they may contain private data. */
  reject(slice: Extract<Slice, { kind: 'broken' }>, position: number): RecordOutcome {
    const { code = 'malformed', message } = slice;
    return { kind: 'rejected', position, rejection: { position, code, message, excerpt: positionInFeed(slice) } };
  }

  private settle(outcome: RecordOutcome): RecordOutcome {
    this.warnings.settle(idOf(outcome));
    return outcome;
  }

  private get silent(): RecordContext {
    return { ...this.context, warn: () => undefined };
  }

  private mappedId(bytes: Buffer, shorten: <R>(record: R) => R): string | undefined {
    const { connector } = this;
    const { fetch } = connector;
    try {
      if (fetch.kind === 'pages' && fetch.details !== undefined)
        return fetch.details.idOf(connector.format.parse(bytes, this.silent));
      const mapped = connector.map(shorten(connector.format.parse(bytes, this.silent)), this.silent);
      return mapped.kind === 'listing' ? mapped.listing.affId : mapped.affId;
    } catch (error) {
      return error instanceof RecordError ? error.recordId : undefined;
    }
  }

  /**
   * Does not resolve photo files; errors become part of the result. @param warnings replaces the reader's own sink.
   * @param findsSeries whether photos may belong to the record by their names.
   */
  prepare(
    slice: RecordSlice,
    position: number,
    { findsSeries = false, warnings = this.warnings }: { findsSeries?: boolean; warnings?: WarningSink } = {},
  ): PreparedRecord {
    return this.noting(warnings, () => this.prepareOne(slice, position, findsSeries));
  }

  private prepareOne(
    slice: RecordSlice,
    position: number,
    findsSeries: boolean,
    parse = (): unknown => this.connector.format.parse(slice.bytes, this.context),
  ): PreparedRecord {
    const { connector } = this;
    let raw: Record<string, unknown> | undefined;
    try {
      const record = parse();
      raw = connector.format.toRaw(record, this.context);
      const mapped = connector.map(record, this.context);
      if (mapped.kind === 'withdrawn') return { kind: 'over', outcome: withdrawn(mapped, position) };
      const { listing, scope = '', revision } = mapped;
      if (isShell(listing, raw)) this.context.warn('implausible_value', '', 'the record does not describe a property');
      const series = findsSeries ? connector.photoSeries?.of(record) : undefined;
      return { kind: 'listing', listing, raw, scope, revision, series };
    } catch (error) {
      return { kind: 'over', outcome: rejectedFor(error, position, raw, slice) };
    }
  }

  private mapOne(slice: RecordSlice, position: number, hash: string): RecordOutcome | Promise<RecordOutcome> {
    const prepared = this.prepareOne(slice, position, this.photoFiles !== null);
    return this.complete(prepared, slice, position, hash);
  }

  /** Resolves the files, and makes the listing's texts. */
  private complete(
    prepared: PreparedRecord,
    slice: RecordSlice,
    position: number,
    hash: string,
  ): RecordOutcome | Promise<RecordOutcome> {
    if (prepared.kind === 'over') return prepared.outcome;
    const { connector, photoFiles } = this;
    const { listing, raw, scope, revision, series } = prepared;
    const warn: RecordContext['warn'] = (code, field, value) => {
      this.context.warn(code, field, value);
    };
    const finish = ({ listing, photoFiles }: SettledListing): RecordOutcome => {
      try {
        const finished = finishListing(listing, raw, connector.code, this.texts);
        return listed(finished, { position, hash, scope, revision }, photoFiles);
      } catch (error) {
        return rejectedFor(error, position, raw, slice);
      }
    };
    const settle = (files: PhotoFiles): RecordOutcome | Promise<RecordOutcome> =>
      hasOnlyAddresses(listing) ? finish({ listing }) : files.settle(listing, warn).then(finish);
    const { photoSeries } = connector;
    if (
      photoFiles !== null &&
      photoSeries !== undefined &&
      series !== undefined &&
      unnamedKinds(series.named).size > 0
    ) {
      return photoFiles.numbered(photoSeries, series, photoFiles.namesFor(slice.bytes)).then((found) => {
        const { photos, plans = [], documents = [] } = found;
        if (photos !== undefined) listing.photos = photos;
        if (plans.length > 0) listing.plans = [...(listing.plans ?? []), ...plans];
        if (documents.length > 0) listing.documents = [...(listing.documents ?? []), ...documents];
        return settle(photoFiles);
      });
    }
    if (photoFiles !== null) return settle(photoFiles);
    return finish({ listing: hasOnlyAddresses(listing) ? listing : withAddressesOnly(listing, warn) });
  }

  private noting<T>(warnings: WarningSink, work: () => T): T {
    const own = this.warnings;
    this.warnings = warnings;
    try {
      return work();
    } finally {
      this.warnings = own;
    }
  }

  private makeContext(): RecordContext {
    return {
      crm: this.connector.code,
      settings: this.settings,
      feed: this.feed,
      warn: (code, field, value) => {
        this.warnings.note(code, field, value);
      },
    };
  }
}

import type { Photo, Rejection } from '@passerelle/domain';
import {
  type Connector,
  type Mapped,
  type MappedListing,
  type RecognizedRecord,
  type RecordContext,
  RecordError,
  type Slice,
} from '../../kit/contracts';
import type { RecordOutcome } from '../contracts';
import { withoutFiles } from '../../kit/clean/photos';
import { isShell } from '../../kit/listing-mapping';
import { finishListing } from './finished-listing';
import type { PhotoFiles, SettledPhotos } from '../photos/photo-files';
import type { RecordHasher } from './record-hash';
import { TextBlocks } from './text-blocks';
import type { WarningSink } from './warning-tally';

const MAX_EXCERPT_LENGTH = 200;

export type RecordSlice = Omit<Extract<Slice, { kind: 'record' }>, 'kind'>;
/** What a record is known by. */
type Known = Pick<RecordSlice, 'bytes' | 'recognized' | 'hash'>;

/** Turns sliced records into outcomes, one by one. A bad record never ends the feed. */
export class RecordReader {
  /** Where the photos of the records that follow are that come as files; null where none can come. */
  photoFiles: PhotoFiles | null = null;
  /** What the mapping reads beside the record. */
  feed: Readonly<Record<string, unknown>> = {};
  private readonly texts = new TextBlocks();
  /** By hash: a list may be walked several times. */
  private readonly ids = new Map<string, string>();
  private context: RecordContext;

  constructor(
    private readonly connector: Connector,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly hasher: Pick<RecordHasher, 'hashOf' | 'setContext'>,
    private readonly isKnown: (hash: string) => boolean,
    private warnings: WarningSink,
  ) {
    this.context = this.makeContext();
  }

  /** Gives the records that follow `value` under `name`. They are mapped again when it differs from last time's. */
  setContext(name: string, value: unknown): void {
    this.feed = { ...this.feed, [name]: value };
    this.hasher.setContext(name, value);
    this.context = this.makeContext();
  }

  /** Only a record with photos that come as files takes its time. The next one may not be read meanwhile. */
  read(slice: RecordSlice, position: number): RecordOutcome | Promise<RecordOutcome> {
    const hash = this.hashOf(slice);
    if (this.isRecognized(slice) || this.isKnown(hash)) return { kind: 'unchanged', position, hash };
    const outcome = this.mapOne(slice, position, hash);
    if (outcome instanceof Promise) return outcome.then((settled) => this.settle(settled));
    return this.settle(outcome);
  }

  /** 32 hexadecimal characters, of everything that decides what the record becomes. */
  hashOf(slice: Known): string {
    if (slice.hash !== undefined) return slice.hash;
    if (this.isRecognized(slice)) return slice.recognized!.hash;
    return this.hasher.hashOf(slice.bytes, this.photoFiles?.namesFor(slice.bytes));
  }

  /** Whether its part has found it to be known, beside the same things. */
  isRecognized({ recognized }: Pick<RecordSlice, 'recognized'>): boolean {
    return recognized?.feed === this.feed;
  }

  /** What a part recognizes records by. */
  recognize(bytes: Buffer): RecognizedRecord | undefined {
    const hash = this.hashOf({ bytes });
    return this.isKnown(hash) ? { hash, feed: this.feed } : undefined;
  }

  /**
   * Parses and maps a record whatever its hash. Its photos are none that come as files.
   *
   * @param warnings takes what is odd about it instead of the reader's own.
   */
  map(slice: RecordSlice, position: number, hash: string, warnings: WarningSink): RecordOutcome {
    const own = this.warnings;
    this.warnings = warnings;
    try {
      const outcome = this.mapOne(slice, position, hash);
      if (outcome instanceof Promise) throw new Error('a record with photos that come as files is mapped by itself');
      return this.settle(outcome);
    } finally {
      this.warnings = own;
    }
  }

  /** A record's identifier as the mapping tells it, else its hash. Adds no warnings. */
  identify(bytes: Buffer): string {
    const hash = this.hasher.hashOf(bytes);
    const known = this.ids.get(hash);
    if (known !== undefined) return known;
    const id = this.mappedId(bytes) ?? hash;
    this.ids.set(hash, id);
    return id;
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

  /** Rejects bytes that cannot be a record. The excerpt shows none of them: they may hold private data anywhere. */
  reject(slice: Extract<Slice, { kind: 'broken' }>, position: number): RecordOutcome {
    const { code = 'malformed', message } = slice;
    return { kind: 'rejected', position, rejection: { position, code, message, excerpt: placeOf(slice) } };
  }

  private settle(outcome: RecordOutcome): RecordOutcome {
    this.warnings.settle(idOf(outcome));
    return outcome;
  }

  private get silent(): RecordContext {
    return { ...this.context, warn: () => undefined };
  }

  private mappedId(bytes: Buffer): string | undefined {
    const { connector } = this;
    const { fetch } = connector;
    try {
      if (fetch.kind === 'pages' && fetch.details !== undefined)
        return fetch.details.idOf(connector.format.parse(bytes, this.silent));
      const mapped = connector.map(connector.format.parse(bytes, this.silent), this.silent);
      return mapped.kind === 'listing' ? mapped.listing.affId : mapped.affId;
    } catch (error) {
      return error instanceof RecordError ? error.recordId : undefined;
    }
  }

  private mapOne(slice: RecordSlice, position: number, hash: string): RecordOutcome | Promise<RecordOutcome> {
    const { connector, photoFiles } = this;
    const warn: RecordContext['warn'] = (code, field, value) => {
      this.context.warn(code, field, value);
    };
    let raw: Record<string, unknown> | undefined;
    const orRejected = (read: () => RecordOutcome | Promise<RecordOutcome>): RecordOutcome | Promise<RecordOutcome> => {
      try {
        return read();
      } catch (error) {
        return { kind: 'rejected', position, rejection: rejectionOf(error, position, excerptOf(error, raw, slice)) };
      }
    };
    return orRejected(() => {
      const record = connector.format.parse(slice.bytes, this.context);
      raw = connector.format.toRaw(record, this.context);
      const mapped = connector.map(record, this.context);
      if (mapped.kind === 'withdrawn') return withdrawn(mapped, position);
      const { listing, scope = '', revision } = mapped;
      if (isShell(listing, raw)) warn('implausible_value', '', 'the record says nothing of its property');
      const finish = ({ photos, photoFiles }: SettledPhotos): RecordOutcome => {
        const finished = finishListing(Object.assign(listing, { photos }), raw!, connector.code, this.texts);
        // Member by member: as spreads it takes ten times as long.
        return {
          kind: 'listing',
          position,
          hash,
          scope,
          revision,
          affId: finished.affId,
          affNum: finished.affNum,
          fill: finished.fill,
          duties: finished.duties,
          contentHash: finished.contentHash,
          empreinte: finished.empreinte,
          photosEmpreinte: finished.photosEmpreinte,
          normalized: finished.normalized,
          raw: finished.raw,
          searchFields: finished.searchFields,
          searchWords: finished.searchWords,
          ...(photoFiles !== undefined && { photoFiles }),
        };
      };
      const { photos } = listing;
      const settle = (files: PhotoFiles, all = photos): Promise<RecordOutcome> =>
        files.settle(all, warn).then((settled) => orRejected(() => finish(settled)));
      if (photoFiles !== null && connector.photoSeries?.of(record)?.named.length === 0) {
        const names = photoFiles.namesFor(slice.bytes);
        return photoFiles
          .numbered(connector.photoSeries, record, names)
          .then((all) => (all.length === 0 ? orRejected(() => finish({ photos: [] })) : settle(photoFiles, all)));
      }
      if (areAllAddresses(photos)) return finish({ photos });
      if (photoFiles === null) return finish({ photos: withoutFiles(photos, warn) });
      return settle(photoFiles);
    });
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

function areAllAddresses(photos: MappedListing['photos']): photos is Photo[] {
  return !photos.some((photo) => 'file' in photo);
}

function withdrawn(
  { affId, scope = '', message }: Extract<Mapped, { kind: 'withdrawn' }>,
  position: number,
): RecordOutcome {
  const rejection: Rejection = { position, recordId: affId, code: 'withdrawn', message };
  return { kind: 'withdrawn', position, affId, scope, rejection };
}

function idOf(outcome: RecordOutcome): string | undefined {
  return outcome.kind === 'listing' || outcome.kind === 'withdrawn' ? outcome.affId : undefined;
}

function rejectionOf(error: unknown, position: number, excerpt: string): Rejection {
  if (!(error instanceof RecordError)) {
    // The message of an unexpected error may quote the record: show its class only.
    const kind = error instanceof Error ? error.name : 'error';
    return { position, code: 'malformed', message: `the record could not be read (${kind})`, excerpt };
  }
  const { code, message, field, recordId } = error;
  return {
    position,
    ...(recordId === undefined ? {} : { recordId }),
    code,
    message,
    ...(field === undefined ? {} : { field }),
    excerpt,
  };
}

/** An excerpt of the raw form, which holds no private data. Without a raw form, the record's place in the feed. */
function excerptOf(
  error: unknown,
  raw: Record<string, unknown> | undefined,
  slice: { line: number; bytes: Buffer },
): string {
  if (raw === undefined) return placeOf(slice);
  const field = error instanceof RecordError ? error.field : undefined;
  const shown = field !== undefined && raw[field] !== undefined ? { [field]: raw[field] } : raw;
  return JSON.stringify(shown).slice(0, MAX_EXCERPT_LENGTH);
}

function placeOf({ line, bytes }: { line: number; bytes: Buffer }): string {
  return `line ${line}, ${bytes.length} bytes`;
}

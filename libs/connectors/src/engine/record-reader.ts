import type { Rejection } from '@passerelle/domain';
import { type Connector, type RecordContext, RecordError, type RecordOutcome, type Slice } from '../kit/contracts';
import { finishListing } from './finished-listing';
import { RecordHasher } from './record-hash';
import type { WarningTally } from './warning-tally';

const MAX_EXCERPT_LENGTH = 200;

/** Turns sliced records into outcomes, one by one. A bad record never ends the feed. */
export class RecordReader {
  /** What the mapping reads beside the record. */
  feed: Readonly<Record<string, unknown>> = {};
  readonly #hasher: RecordHasher;
  /** By hash: a list may be walked several times. */
  readonly #ids = new Map<string, string>();
  #context: RecordContext;

  constructor(
    private readonly connector: Connector,
    private readonly settings: Readonly<Record<string, string>>,
    mappingKey: string,
    private readonly isKnown: (hash: string) => boolean,
    private readonly warnings: WarningTally,
  ) {
    this.#hasher = new RecordHasher(mappingKey);
    this.#context = this.#makeContext();
  }

  /** Gives the records that follow `value` under `name`. They are mapped again when it differs from last time's. */
  setContext(name: string, value: unknown): void {
    this.feed = { ...this.feed, [name]: value };
    this.#hasher.setContext(name, value);
    this.#context = this.#makeContext();
  }

  read(slice: Extract<Slice, { kind: 'record' }>, position: number): RecordOutcome {
    const hash = this.#hasher.hashOf(slice.bytes);
    if (this.isKnown(hash)) return { kind: 'unchanged', position, hash };
    const outcome = this.#map(slice, position, hash);
    this.warnings.settle(idOf(outcome));
    return outcome;
  }

  /** A record's identifier as the mapping tells it, else its hash. Adds no warnings. */
  identify(bytes: Buffer): string {
    const hash = this.#hasher.hashOf(bytes);
    const known = this.#ids.get(hash);
    if (known !== undefined) return known;
    const id = this.#mappedId(bytes) ?? hash;
    this.#ids.set(hash, id);
    return id;
  }

  /** A parsed record; undefined when it cannot be parsed. Adds no warnings. */
  tryParse(bytes: Buffer): unknown {
    try {
      return this.connector.format.parse(bytes, this.#silent);
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

  get #silent(): RecordContext {
    return { ...this.#context, warn: () => undefined };
  }

  #mappedId(bytes: Buffer): string | undefined {
    const { connector } = this;
    try {
      const mapped = connector.map(connector.format.parse(bytes, this.#silent), this.#silent);
      return mapped.kind === 'listing' ? mapped.listing.affId : mapped.affId;
    } catch (error) {
      return error instanceof RecordError ? error.recordId : undefined;
    }
  }

  #map(slice: Extract<Slice, { kind: 'record' }>, position: number, hash: string): RecordOutcome {
    const { connector } = this;
    let raw: Record<string, unknown> | undefined;
    try {
      const record = connector.format.parse(slice.bytes, this.#context);
      raw = connector.format.toRaw(record, this.#context);
      const mapped = connector.map(record, this.#context);
      const scope = mapped.scope ?? '';
      if (mapped.kind === 'withdrawn') {
        const { affId, message } = mapped;
        return {
          kind: 'withdrawn',
          position,
          affId,
          scope,
          rejection: { position, recordId: affId, code: 'withdrawn', message },
        };
      }
      const listing = finishListing(mapped.listing, raw, connector.code);
      return { kind: 'listing', position, hash, scope, revision: mapped.revision, ...listing };
    } catch (error) {
      return { kind: 'rejected', position, rejection: rejectionOf(error, position, excerptOf(error, raw, slice)) };
    }
  }

  #makeContext(): RecordContext {
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

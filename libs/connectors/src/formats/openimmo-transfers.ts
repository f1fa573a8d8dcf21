import { BadFeed } from '@passerelle/domain';
import type { FeedDocument, RecordContext, RecordFormat, Slice } from '../kit/contracts';
import { textOf } from '../kit/values';
import { DECLARED_ENCODING, type XmlRecord, xmlRecords, type XmlRecordsOptions } from './xml-records';

export const TRANSFER = 'uebertragung';
const VENDOR = 'anbieter';
/** The members of an `anbieter` that listings contain. */
const VENDOR_DATA = ['firma', 'openimmo_anid'] as const;
const VENDOR_EXTRAS = [
  ...['anbieternr', 'lizenzkennung', 'anhang', 'impressum', 'impressum_strukt'],
  ...['user_defined_simplefield', 'user_defined_anyfield', 'user_defined_extend'],
];
/** A record may hold its pictures as base64. They are cut out before parsing and replaced by numbers. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** The maximum size of the records that wait for the agency's data, which may follow them. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Reads each `immobilie` with the data of its `uebertragung` and `anbieter`, in any order. With VOLL, the named
 * agencies become scopes.
 */
export function openImmoTransfers(options: Pick<XmlRecordsOptions, 'lists' | 'raw'>): RecordFormat<XmlRecord> {
  const xml = xmlRecords({
    ...options,
    root: 'openimmo',
    record: 'immobilie',
    context: [TRANSFER, ...VENDOR_DATA],
    groups: [VENDOR],
    beside: VENDOR_EXTRAS,
    maxRecordBytes: MAX_RECORD_BYTES,
  });
  return {
    slice: (document) => sliceTransfer(document, xml),
    parse(bytes, context) {
      const { rest, contents } = cutFileContents(bytes);
      const record = xml.parse(rest, context);
      if (contents.length > 0) fileContents.set(record, contents);
      return record;
    },
    parseContext(name, bytes, feed) {
      const element = xml.parseContext?.(name, bytes, feed);
      return name === TRANSFER ? readTransfer(element).says : element;
    },
    toRaw: (record, context) => xml.toRaw(record, context),
  };
}

export function isTransfer(feed: RecordContext['feed']): boolean {
  return feed[TRANSFER] !== undefined;
}

export function transferIn(context: RecordContext): TransferSays {
  return (context.feed[TRANSFER] as TransferSays | undefined) ?? {};
}

export function vendorText(context: RecordContext, name: (typeof VENDOR_DATA)[number]): string | undefined {
  return textOf((context.feed[VENDOR] as XmlRecord | undefined)?.[name]);
}

async function* sliceTransfer(document: FeedDocument, xml: RecordFormat<XmlRecord>): AsyncGenerator<Slice> {
  const reading = new TransferReading(xml);
  for await (const slice of xml.slice(document)) yield* reading.take(slice);
  yield* reading.end();
}

/** Passes the agency's data on before its records, and remembers the agencies that a transfer names. */
class TransferReading {
  /** Whether objects that the transfer does not name are gone; undefined until `uebertragung` is read. */
  private isWhole: boolean | undefined;
  private isTransferDeclared = false;
  private vendor: Partial<Record<string, Buffer>> = {};
  private hasRecords = false;
  /** Whether the agency's data has been passed on. */
  private isDeclared = false;
  /** Whether too many records of this agency are waiting already. */
  private isImpatient = false;
  private waiting: Slice[] = [];
  private waitingBytes = 0;
  private readonly agencies = new Set<string>();
  private feed: RecordContext['feed'] = {};

  constructor(private readonly xml: RecordFormat<XmlRecord>) {}

  *take(slice: Slice): Generator<Slice> {
    switch (slice.kind) {
      case 'context':
        yield* this.takeContext(slice);
        return;
      case 'record':
      case 'broken':
        this.hasRecords = true;
        if (this.isReady()) {
          yield* this.release();
          yield slice;
        } else {
          this.waiting.push({ ...slice, bytes: Buffer.from(slice.bytes) });
          this.waitingBytes += slice.bytes.length;
          this.isImpatient = this.waitingBytes > MAX_WAITING_BYTES;
        }
        return;
      default:
        yield* this.release();
        yield slice;
    }
  }

  *end(): Generator<Slice> {
    yield* this.leaveVendor();
    if (this.isWhole === false) return;
    for (const scope of this.agencies) yield { kind: 'scope', scope };
    if (this.agencies.size === 0) {
      yield { kind: 'incomplete', message: 'the file declares that it is complete (VOLL), but names no agency' };
    }
  }

  private *takeContext(slice: Extract<Slice, { kind: 'context' }>): Generator<Slice> {
    const { name, bytes } = slice;
    if (name === VENDOR) {
      yield* this.leaveVendor();
    } else if (name === TRANSFER) {
      this.isWhole ??= readTransfer(this.parse(name, bytes)).isWhole;
      this.isTransferDeclared = true;
      yield slice;
    } else if (isVendorData(name)) {
      this.vendor[name] ??= Buffer.from(bytes);
      this.isDeclared = false;
    } else {
      if (name === DECLARED_ENCODING) this.feed = { [name]: this.parse(name, bytes) };
      yield slice;
    }
  }

  private isReady(): boolean {
    if (this.isImpatient) return true;
    return this.isWhole !== undefined && VENDOR_DATA.every((name) => this.vendor[name] !== undefined);
  }

  /** The known data of the vendor, then the records that waited for it. */
  private *release(): Generator<Slice> {
    if (!this.isTransferDeclared) {
      this.isTransferDeclared = true;
      // Without this, the transfer data of the previous file would still apply.
      yield { kind: 'context', name: TRANSFER, bytes: Buffer.from(`<${TRANSFER}/>`) };
    }
    if (!this.isDeclared) {
      this.isDeclared = true;
      const members = VENDOR_DATA.flatMap((name) => this.vendor[name] ?? []);
      const bytes = Buffer.concat([Buffer.from(`<${VENDOR}>`), ...members, Buffer.from(`</${VENDOR}>`)]);
      yield { kind: 'context', name: VENDOR, bytes };
    }
    const waiting = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    yield* waiting;
  }

  private *leaveVendor(): Generator<Slice> {
    if (this.waiting.length > 0) yield* this.release();
    const agency = agencyKey(this.anid());
    if (agency !== undefined || this.hasRecords) this.agencies.add(agency ?? '');
    this.vendor = {};
    this.hasRecords = false;
    this.isDeclared = false;
    this.isImpatient = false;
  }

  private anid(): string | undefined {
    const bytes = this.vendor['openimmo_anid'];
    return bytes === undefined ? undefined : textOf(this.parse('openimmo_anid', bytes));
  }

  private parse(name: string, bytes: Buffer): unknown {
    try {
      return this.xml.parseContext?.(name, bytes, this.feed);
    } catch (error) {
      throw new BadFeed(`<${name}> cannot be read`, { cause: error });
    }
  }
}

function isVendorData(name: string): boolean {
  return (VENDOR_DATA as readonly string[]).includes(name);
}

const FILE_CONTENT = Buffer.from('anhanginhalt');
const END_TAG = Buffer.from('</');
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;

/** File contents in base64, by record. They are parts of the bytes that the record was parsed from. */
const fileContents = new WeakMap<XmlRecord, readonly Buffer[]>();

/** The bytes of a file in the record. @param number the number that replaced its `anhanginhalt` */
export function fileContentIn(record: XmlRecord, number: string | undefined): Buffer | undefined {
  const content = number === undefined ? undefined : fileContents.get(record)?.[Number(number)];
  if (content === undefined) return undefined;
  const text = content.toString('latin1').replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, '');
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 0 ? undefined : bytes;
}

/**
 * Replaces each `anhanginhalt` of the record by a number. These contents are base64 and may be most of the record's
 * bytes.
 */
function cutFileContents(record: Buffer): { rest: Buffer; contents: Buffer[] } {
  const kept: Buffer[] = [];
  const contents: Buffer[] = [];
  let from = 0;
  for (
    let name = record.indexOf(FILE_CONTENT);
    name !== -1;
    name = record.indexOf(FILE_CONTENT, name + FILE_CONTENT.length)
  ) {
    const before = record[name - 1];
    if (before !== LESS_THAN && before !== COLON) continue;
    const tagEnd = record.indexOf(GREATER_THAN, name);
    if (tagEnd === -1 || record[tagEnd - 1] === SLASH) continue;
    const close = record.indexOf(END_TAG, tagEnd);
    const closeEnd = close === -1 ? -1 : record.indexOf(GREATER_THAN, close);
    if (closeEnd === -1) break;
    kept.push(record.subarray(from, tagEnd + 1), Buffer.from(String(contents.length)));
    contents.push(record.subarray(tagEnd + 1, close));
    from = close;
    name = closeEnd - FILE_CONTENT.length;
  }
  return { rest: from === 0 ? record : Buffer.concat([...kept, record.subarray(from)]), contents };
}

/** The data of `uebertragung` for all records, without its timestamp, which would make them all look changed. */
interface TransferSays {
  /** `umfang="TEIL"`: objects that the transfer does not name stay. */
  isPartial?: true;
  /** `modus="DELETE"`: every object of the transfer is to be deleted. */
  isDeletion?: true;
  /** A value of `umfang` that the format does not define. */
  unknownUmfang?: string;
}

function readTransfer(element: unknown): { says: TransferSays; isWhole: boolean } {
  const attributes = attributesOf(element);
  const umfang = textOf(attributes.get('@umfang'))?.toUpperCase() ?? 'VOLL';
  const isDeletion = textOf(attributes.get('@modus'))?.toUpperCase() === 'DELETE';
  return {
    says: {
      ...((umfang !== 'VOLL' || isDeletion) && { isPartial: true }),
      ...(isDeletion && { isDeletion }),
      ...(umfang !== 'VOLL' && umfang !== 'TEIL' && { unknownUmfang: umfang.slice(0, 40) }),
    },
    isWhole: umfang === 'VOLL' && !isDeletion,
  };
}

/** An agency's `openimmo_anid` in one spelling: exports add blanks around it, or write it in another case. */
export function agencyKey(anid: string | undefined): string | undefined {
  return anid?.trim().replace(/\s+/g, ' ').toUpperCase() || undefined;
}

/** Attributes by lower-case name, because exports write the names in any case. */
function attributesOf(element: unknown): ReadonlyMap<string, unknown> {
  const entries = Object.entries((element ?? {}) as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

import type { JsonSlicing } from '../engine/cut/json-scanner';
import { sliceJson } from '../engine/cut/slicers';
import { type FeedDocument, type RecordContext, RecordError, type RecordFormat, type Slice } from '../kit/contracts';
import { rawProjection, type RawRules } from '../kit/raw-projection';
import { compilePath, textOf } from '../kit/values';
import { recordText } from './record-text';

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface JsonRecordsOptions {
  /** The member that is the list of records; '' when the document itself is the list. */
  records: string;
  /** Members beside the list that the walk or the mapping needs. */
  envelope?: readonly string[];
  /** Other lists of objects in the document that are not records. */
  beside?: readonly string[];
  /** The path of the number of records in the whole feed, with dots if the number is inside a member. */
  declaredCount?: string;
  /** One allow-list, or a function that chooses per record: some records say which of their fields may be shown. */
  raw: RawRules | ((record: JsonRecord, context: RecordContext) => Record<string, unknown>);
}

export function jsonRecords(options: JsonRecordsOptions): RecordFormat<JsonRecord> {
  const slicing: JsonSlicing = {
    records: options.records,
    envelope: options.envelope ?? [],
    beside: options.beside ?? [],
  };
  const toRaw = typeof options.raw === 'function' ? options.raw : rawProjection(options.raw);
  return {
    slice: (document) => withDeclaredCount(document, slicing, options.declaredCount),
    parse: parseObject,
    parseContext: (_name, bytes) => JSON.parse(bytes.toString('utf8')) as unknown,
    toRaw,
  };
}

async function* withDeclaredCount(
  document: FeedDocument,
  slicing: JsonSlicing,
  path: string | undefined,
): AsyncGenerator<Slice> {
  for await (const slice of sliceJson(document, slicing)) {
    yield slice;
    if (slice.kind !== 'context' || path === undefined) continue;
    const written = countIn(slice.name, slice.bytes, path);
    const digits = /^"?(\d{1,15})"?$/.exec(written ?? '')?.[1];
    if (digits !== undefined) yield { kind: 'declared', count: Number(digits) };
  }
}

const LONG_INTEGER = /[:,[]\s*-?\d{16,}\s*[,}\]]/;
const TEXT_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/** Turns integers that a JavaScript number cannot hold into texts: rounding would make two ids equal. */
function withLongIdsAsTexts(json: string): string {
  if (!LONG_INTEGER.test(json)) return json;
  return json.replace(TEXT_OR_LONG_INTEGER, (found) => (found.startsWith('"') ? found : `"${found}"`));
}

/** Programs that escape every non-ASCII letter also escape text that was encoded twice. */
const ESCAPED_TWICE = /\\u(?:00c[23]|00e2)\\u|\\ufffd/i;
const ESCAPES = /\\(?:u([\da-f]{4})|[^])/gi;

function jsonText(bytes: Buffer, context: RecordContext): string {
  if (!ESCAPED_TWICE.test(bytes.toString('latin1'))) return recordText(bytes, 'utf-8', context);
  const json = bytes.toString('utf8').replace(ESCAPES, (escape: string, digits?: string) => {
    const code = digits === undefined ? 0 : parseInt(digits, 16);
    // Half of a surrogate pair is no character: it stays escaped.
    return code < 0x80 || (code >= 0xd800 && code <= 0xdfff) ? escape : String.fromCharCode(code);
  });
  return recordText(Buffer.from(json), 'utf-8', context);
}

function parseObject(bytes: Buffer, context: RecordContext): JsonRecord {
  let value: unknown;
  try {
    value = JSON.parse(withLongIdsAsTexts(jsonText(bytes, context)));
  } catch {
    throw new RecordError('malformed', 'the record is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RecordError('malformed', 'the record is not a JSON object');
  }
  return value as JsonRecord;
}

/** The value at a path in a member; the member's own name may contain dots (`@odata.count`). */
function countIn(member: string, bytes: Buffer, path: string): string | undefined {
  if (member === path) return bytes.toString('latin1');
  if (!path.startsWith(`${member}.`)) return undefined;
  try {
    return textOf(compilePath(path.slice(member.length + 1))(JSON.parse(bytes.toString('utf8'))));
  } catch {
    // The mapping parses the member and reports that it cannot be read.
    return undefined;
  }
}

import { BadFeed } from '@passerelle/domain';
import { type JsonRecord, jsonRecords } from '../../formats/json-records';
import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import type { FeedPart, RecordContext, RecordFormat, Slice } from '../../kit/contracts';
import { toXmlNames } from './json-names';
import { PROJECT_ELEMENT, withProject } from './projects';
import { JSON_RAW_FIELDS, LISTS, RAW_FIELDS } from './raw-fields';

const XML = xmlRecords({
  root: 'export',
  record: 'property',
  recordParents: ['properties'],
  context: [PROJECT_ELEMENT],
  lists: [...LISTS, 'units.unit', 'units.unit.localizations.localization'],
  numbers: { amounts: ['gross', 'net', 'extra', 'price', 'buy', 'rent', 'auction', 'deposit'], areas: [] },
  raw: RAW_FIELDS,
});
const JSON_PROPERTIES = jsonRecords({ records: 'properties', raw: JSON_RAW_FIELDS });
const JSON_PROJECTS = jsonRecords({ records: 'projects', raw: JSON_RAW_FIELDS });

/** What a record in JSON looked like, by what it reads as: `raw` is what the CRM delivered. */
const originals = new WeakMap<XmlRecord, JsonRecord>();

/** SwissRETS as XML or as JSON: the first sign of a document tells which. A record in JSON is read under the names of the XML. */
export const SWISSRETS_RECORDS: RecordFormat<XmlRecord> = {
  // Numbers of JSON have no style.
  survey: () => XML.survey!(),
  async *slice(part) {
    if (await startsWithBrace(part)) yield* sliceJson(part);
    else yield* XML.slice(part);
  },
  parse(bytes, context) {
    if (!isBrace(bytes[0])) return withProject(XML.parse(bytes, context), context.feed);
    const original = JSON_PROPERTIES.parse(bytes, context);
    const record = withProject(toXmlNames(original), context.feed);
    originals.set(record, original);
    return record;
  },
  parseContext(name, bytes, feed) {
    if (name !== PROJECT_ELEMENT) return XML.parseContext?.(name, bytes, feed);
    const projects = (feed[PROJECT_ELEMENT] as readonly unknown[] | undefined) ?? [];
    return [...projects, parseProject(bytes, feed)];
  },
  toRaw(record, context) {
    const original = originals.get(record);
    return original === undefined ? XML.toRaw(record, context) : JSON_PROPERTIES.toRaw(original, context);
  },
};

/** A project that cannot be read completes no property: nothing else is read of it. */
function parseProject(bytes: Buffer, feed: RecordContext['feed']): unknown {
  try {
    if (!isBrace(bytes[0])) return XML.parseContext?.(PROJECT_ELEMENT, bytes, feed);
    return toXmlNames(JSON.parse(bytes.toString('utf8')) as JsonRecord);
  } catch {
    return {};
  }
}

/** In JSON the projects stand behind the properties that belong to them: they are read first. */
async function* sliceJson(part: FeedPart): AsyncGenerator<Slice> {
  try {
    for await (const slice of JSON_PROJECTS.slice(part)) {
      if (slice.kind === 'record') yield { kind: 'context', name: PROJECT_ELEMENT, bytes: Buffer.from(slice.bytes) };
    }
  } catch (error) {
    // A document without projects; what else is wrong with it shows below.
    if (!(error instanceof BadFeed)) throw error;
  }
  yield* JSON_PROPERTIES.slice(part);
}

const isBrace = (byte: number | undefined): boolean => byte === 0x7b;
/** Blanks, byte order marks, and the zeros of UTF-16. */
const AHEAD: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);

async function startsWithBrace(part: FeedPart): Promise<boolean> {
  for await (const chunk of part.open()) {
    const first = chunk.find((byte) => !AHEAD.has(byte));
    if (first !== undefined) return isBrace(first);
  }
  return false;
}

import { SWISSRETS_INVENTORY, xmlNamesOf } from '../../formats/swissrets/json-inventory';
import type { JsonRecord } from '../../formats/json-records';
import { PROJECT_ELEMENT, withProject } from '../../formats/swissrets/projects';
import { SWISSRETS_LISTS, SWISSRETS_RAW_FIELDS } from '../../formats/swissrets/raw-fields';
import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import type { FeedDocument, RecordContext, RecordFormat } from '../../kit/contracts';

const XML = xmlRecords({
  root: 'export',
  record: 'property',
  recordParents: ['properties'],
  context: [PROJECT_ELEMENT],
  beside: ['created', 'generator', 'projects'],
  lists: [...SWISSRETS_LISTS, 'units.unit', 'units.unit.localizations.localization'],
  numbers: { amounts: ['gross', 'net', 'extra', 'price', 'buy', 'rent', 'auction', 'deposit'], areas: [] },
  raw: SWISSRETS_RAW_FIELDS,
});

/** Maps a converted record to the JSON record that the CRM delivered, which is published in `raw`. */
const originals = new WeakMap<XmlRecord, JsonRecord>();

/** The first character shows whether a document is XML or JSON. A JSON record is read with the names of the XML. */
export const SWISSRETS_RECORDS: RecordFormat<XmlRecord> = {
  // Only XML is surveyed, because numbers in JSON have no style.
  survey: () => XML.survey!(),
  async *slice(part) {
    yield* (await startsWithBrace(part)) ? SWISSRETS_INVENTORY.slice(part) : XML.slice(part);
  },
  parse(bytes, context) {
    if (!isBrace(bytes[0])) return withProject(XML.parse(bytes, context), context.feed);
    const original = SWISSRETS_INVENTORY.parse(bytes, context);
    const record = xmlNamesOf(original);
    originals.set(record, original);
    return record;
  },
  parseContext(name, bytes, feed) {
    if (name !== PROJECT_ELEMENT) return XML.parseContext?.(name, bytes, feed);
    if (isBrace(bytes[0])) return SWISSRETS_INVENTORY.parseContext?.(name, bytes, feed);
    return [...((feed[PROJECT_ELEMENT] as readonly unknown[] | undefined) ?? []), parseProject(bytes, feed)];
  },
  toRaw(record, context) {
    const original = originals.get(record);
    return original === undefined ? XML.toRaw(record, context) : SWISSRETS_INVENTORY.toRaw(original, context);
  },
};

/** An unreadable project is ignored, because projects only complete the data of properties. */
function parseProject(bytes: Buffer, feed: RecordContext['feed']): unknown {
  try {
    return XML.parseContext?.(PROJECT_ELEMENT, bytes, feed);
  } catch {
    return {};
  }
}

const isBrace = (byte: number | undefined): boolean => byte === 0x7b;
/** Bytes that may precede the first character: blanks, byte order marks, and the zeros of UTF-16. */
const AHEAD: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);

async function startsWithBrace(part: FeedDocument): Promise<boolean> {
  for await (const chunk of part.open()) {
    const first = chunk.find((byte) => !AHEAD.has(byte));
    if (first !== undefined) return isBrace(first);
  }
  return false;
}

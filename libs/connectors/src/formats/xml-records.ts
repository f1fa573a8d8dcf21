import { sliceXml, type XmlSlicing } from '../engine/readers/xml-slicer';
import { type RecordContext, RecordError, type RecordFormat } from '../kit/contracts';
import { rawProjection, type RawRules } from '../kit/raw-projection';
import { recordText } from './record-text';
import { xmlElementParser, type XmlRecord } from './xml-element';

export type { XmlRecord } from './xml-element';

export interface XmlRecordsOptions extends XmlSlicing {
  /** Paths of elements that may be repeated: always lists, also when there is one. */
  lists?: readonly string[];
  raw: RawRules | ((record: XmlRecord, context: RecordContext) => Record<string, unknown>);
}

/** The name under which the reader hands on the encoding that the document declares. */
const DECLARED_ENCODING = '#encoding';

/** Records that are elements of an XML document. */
export function xmlRecords(options: XmlRecordsOptions): RecordFormat<XmlRecord> {
  const { lists = [], raw, ...slicing } = options;
  const listPaths = new Set(lists);
  const parseElement = xmlElementParser((path) => listPaths.has(path));
  return {
    slice: (part) => sliceXml(part, slicing),
    parse(bytes, context) {
      const declared = context.feed[DECLARED_ENCODING];
      const text = recordText(bytes, typeof declared === 'string' ? declared : 'utf-8', context);
      const record = tryParse(parseElement, text);
      if (record === undefined) throw new RecordError('malformed', 'the record is not well-formed XML');
      return record;
    },
    parseContext: (name, bytes) =>
      name === DECLARED_ENCODING ? bytes.toString('latin1') : tryParse(parseElement, recordText(bytes, undefined, SILENT)),
    toRaw: typeof raw === 'function' ? raw : rawProjection(raw),
  };
}

function tryParse(parseElement: (text: string) => XmlRecord | undefined, text: string): XmlRecord | undefined {
  try {
    return parseElement(text);
  } catch {
    // The parser refuses names such as __proto__, and nesting without end.
    return undefined;
  }
}

/** Context elements are read ahead of any record: what is wrong with their bytes shows in the records too. */
const SILENT: RecordContext = { crm: '', settings: {}, feed: {}, warn: () => undefined };

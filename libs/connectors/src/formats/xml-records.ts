import { XMLValidator } from 'fast-xml-parser';
import { toAsciiCompatible } from '../engine/cut/encoding';
import { sliceXml } from '../engine/cut/slicers';
import type { XmlSlicing } from '../engine/cut/xml-scanner';
import { type DocumentSurvey, type RecordContext, RecordError, type RecordFormat } from '../kit/contracts';
import { rawProjection, type RawRules } from '../kit/raw-projection';
import { ElementTexts } from './element-texts';
import { type NumberPlaces, NumberSurvey } from './number-survey';
import { recordText } from './record-text';
import { listPaths, type ListPaths } from './list-paths';
import { parseXmlElement, XmlFault, type XmlRecord } from './xml-element';

export type { XmlRecord } from './xml-element';

export interface XmlRecordsOptions extends XmlSlicing {
  /** Paths of elements that may be repeated: they are always lists, also if there is only one element. */
  lists?: readonly string[];
  /** Names of elements with numbers, for formats that do not specify how numbers are written. */
  numbers?: NumberPlaces<string>;
  raw: RawRules | ((record: XmlRecord, context: RecordContext) => Record<string, unknown>);
}

export const DECLARED_ENCODING = '#encoding';

export function xmlRecords(options: XmlRecordsOptions): RecordFormat<XmlRecord> {
  const { lists = [], raw, numbers, ...slicing } = options;
  const listedPaths = listPaths(lists);
  return {
    ...(numbers === undefined ? {} : { survey: () => surveyOf(numbers) }),
    slice: (document) => sliceXml(document, slicing),
    parse: (bytes, context) => parseRecord(recordText(bytes, declaredIn(context.feed), context), listedPaths),
    parseContext: (name, bytes, feed) =>
      // Without warnings, because the records also show whether the bytes are in the declared encoding.
      name === DECLARED_ENCODING
        ? bytes.toString('latin1')
        : parseXmlElement(recordText(bytes, declaredIn(feed), SILENT), listedPaths),
    toRaw: typeof raw === 'function' ? raw : rawProjection(raw),
  };
}

function surveyOf({ amounts, areas }: NumberPlaces<string>): DocumentSurvey {
  const survey = new NumberSurvey();
  const areaNames = new Set(areas);
  const texts = new ElementTexts([...amounts, ...areas], (name, text) => {
    if (areaNames.has(name)) survey.noteArea(text);
    else survey.noteAmount(text);
  });
  return {
    async inspect(document, turn) {
      for await (const chunk of toAsciiCompatible(document.open())) {
        texts.push(chunk);
        if (turn.isDue()) await turn.wait();
      }
      texts.end();
    },
    findings: () => survey.findings(),
  };
}

function declaredIn(feed: RecordContext['feed']): string {
  const declared = feed[DECLARED_ENCODING];
  return typeof declared === 'string' ? declared : 'utf-8';
}

function parseRecord(text: string, lists: ListPaths): XmlRecord {
  try {
    return parseXmlElement(text, lists);
  } catch (error) {
    if (error instanceof XmlFault)
      throw new RecordError('malformed', `the record is not well-formed XML${faultOf(text)}`);
    throw error;
  }
}

/** Describes the fault by element names and positions, without the content of the record. */
function faultOf(text: string): string {
  const verdict = XMLValidator.validate(text);
  if (verdict === true) return '';
  const { msg, line, col } = verdict.err;
  const said = /^[\w\s'<>/.,:()=-]{1,120}/.exec(msg)?.[0] ?? '';
  return `: ${said} (line ${line} of the record, column ${col})`;
}

const SILENT: RecordContext = { crm: '', settings: {}, feed: {}, warn: () => undefined };

import { BadFeed } from '@passerelle/domain';
import type { FeedDocument, RecordContext, RecordFormat, Slice } from '../../kit/contracts';
import { type JsonRecord, jsonRecords } from '../json-records';
import type { XmlRecord } from '../xml-records';
import { toXmlNames } from './json-names';
import { PROJECT_ELEMENT, withProject } from './projects';
import { SWISSRETS_JSON_RAW_FIELDS } from './raw-fields';

const PROPERTIES = jsonRecords({ records: 'properties', beside: ['projects'], raw: SWISSRETS_JSON_RAW_FIELDS });
const PROJECTS = jsonRecords({ records: 'projects', raw: SWISSRETS_JSON_RAW_FIELDS });

/** The converted form of a record, cached because each field reads it. */
const readAs = new WeakMap<JsonRecord, XmlRecord>();

/** A SwissRETS inventory in JSON. Records stay as the CRM wrote them; the mapping reads `xmlNamesOf`. */
export const SWISSRETS_INVENTORY: RecordFormat<JsonRecord> = {
  slice: sliceInventory,
  parse(bytes, context) {
    const record = PROPERTIES.parse(bytes, context);
    readAs.set(record, withProject(toXmlNames(record), context.feed));
    return record;
  },
  parseContext: parseProjects,
  toRaw: (record, context) => PROPERTIES.toRaw(record, context),
};

/** A property under the names of the XML form, completed with the data of its project. `raw` does not contain the project. */
export function xmlNamesOf(record: JsonRecord): XmlRecord {
  const known = readAs.get(record) ?? toXmlNames(record);
  readAs.set(record, known);
  return known;
}

/** Adds a project to the known projects. Skips an unreadable one, because projects only complete properties. */
function parseProjects(_name: string, bytes: Buffer, feed: RecordContext['feed']): unknown {
  const projects = (feed[PROJECT_ELEMENT] as readonly unknown[] | undefined) ?? [];
  try {
    return [...projects, toXmlNames(JSON.parse(bytes.toString('utf8')) as JsonRecord)];
  } catch {
    return projects;
  }
}

/** Reads the projects first, because they follow their properties in the document. */
async function* sliceInventory(document: FeedDocument): AsyncGenerator<Slice> {
  try {
    for await (const slice of PROJECTS.slice(document)) {
      if (slice.kind === 'record') yield { kind: 'context', name: PROJECT_ELEMENT, bytes: Buffer.from(slice.bytes) };
    }
  } catch (error) {
    // The document has no projects. Any other fault is reported when the properties are read.
    if (!(error instanceof BadFeed)) throw error;
  }
  yield* PROPERTIES.slice(document);
}

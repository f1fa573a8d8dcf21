import type { XmlRecord } from '../../formats/xml-records';
import type { FeedDocument, RecordFormat, Slice } from '../../kit/contracts';
import { textOf } from '../../kit/values';

/** The scope of files that list changes. */
export const CHANGES = 'changes';
export const PROVIDER = 'Anbieter';
/** The member that holds the name of a record's element, which says the kind of property and of offer. */
export const ELEMENT = '#element';

const NAME = /^<(?:[^\s/>:]+:)?([^\s/>]+)/;
/** More bytes than all attributes of the schema together. */
const LONGEST_TAG = 16_000;
/** Other attributes may contain a `>`. */
const ACTION = /^<(?:[^>"']|"[^"]*"|'[^']*')*?\sImportmodus\s*=\s*["']\s*(loeschen|ignorieren)\s*["']/i;

/** Listing numbers are unique only within one provider, so a second provider makes a file incomplete. */
export function namedRecords(format: RecordFormat<XmlRecord>): RecordFormat<XmlRecord> {
  return {
    ...format,
    slice: (part) => slicesOf(format, part),
    parse: (bytes, context) => ({
      ...format.parse(bytes, context),
      [ELEMENT]: NAME.exec(bytes.toString('latin1', 0, 200))?.[1] ?? '',
    }),
  };
}

export function elementOf(record: XmlRecord): string {
  return textOf(record[ELEMENT]) ?? '';
}

async function* slicesOf(format: RecordFormat<XmlRecord>, part: FeedDocument): AsyncGenerator<Slice> {
  let providers = 0;
  for await (const slice of withActions(format.slice(part), actionOf)) {
    if (slice.kind === 'context' && slice.name === PROVIDER) {
      providers += 1;
      if (providers === 2) yield { kind: 'incomplete', message: `the file has more than one <${PROVIDER}>` };
    } else yield slice;
  }
}

function actionOf(element: Buffer): SourceAction | undefined {
  return ACTION.exec(element.toString('latin1', 0, LONGEST_TAG))?.[1]?.toLowerCase() as SourceAction | undefined;
}

/** The action of a record, if it is not a normal import. */
type SourceAction = 'loeschen' | 'ignorieren';

/** A record to delete or to ignore makes the file a list of changes. Records to ignore are omitted. */
export async function* withActions(
  slices: AsyncIterable<Slice>,
  readAction: (record: Buffer) => SourceAction | undefined,
): AsyncGenerator<Slice> {
  let saysChanges = false;
  for await (const slice of slices) {
    const action = slice.kind === 'record' ? readAction(slice.bytes) : undefined;
    if (action !== undefined && !saysChanges) {
      saysChanges = true;
      yield { kind: 'scope', scope: CHANGES };
    }
    if (action === 'ignorieren') yield { kind: 'noticed', code: 'unmapped_field', field: '@Importmodus', message: '' };
    else yield slice;
  }
}

import type { XmlRecord } from '../../formats/xml-records';
import type { FeedPart, RecordFormat, Slice } from '../../kit/contracts';
import { textOf } from '../../kit/values';

/** The scope of files that say what changed. */
export const CHANGES = 'changes';
export const PROVIDER = 'Anbieter';
/** The member of a record that has the name of its element: it says what is offered, and how. */
export const ELEMENT = '#element';

const NAME = /^<(?:[^\s/>:]+:)?([^\s/>]+)/;
/** More than the attributes of the schema take together. */
const LONGEST_TAG = 16_000;
/** In the start tag, whose other attributes may hold a `>`. */
const ACTION = /^<(?:[^>"']|"[^"]*"|'[^']*')*?\sImportmodus\s*=\s*["']\s*(loeschen|ignorieren)\s*["']/i;

/**
 * Keeps the name of a record's element. A file that deletes, or names what is to be left as it is, says what changed; a second
 * provider in one file makes it incomplete, as numbers are those of one.
 */
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

/** The name of the record's element. */
export function elementOf(record: XmlRecord): string {
  return textOf(record[ELEMENT]) ?? '';
}

async function* slicesOf(format: RecordFormat<XmlRecord>, part: FeedPart): AsyncGenerator<Slice> {
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

/** What a record asks to do, where that is not to show what it has. */
type SourceAction = 'loeschen' | 'ignorieren';

/** Says that a file has changes where a record of it asks for that, and leaves out what is to be left as it is. */
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

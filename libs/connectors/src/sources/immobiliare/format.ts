import type { XmlRecord } from '../../formats/xml-records';
import type { FeedDocument, RecordFormat, Slice } from '../../kit/contracts';
import { DELETES } from './offer';

/** The scope of files that delete properties one by one. */
export const DELETIONS = 'deletions';
const IS_EMPTY = /\/>\s*$/;

/** Marks a file that deletes properties one by one. Warns about a file with projects, which are not read. */
export function feedRecords(format: RecordFormat<XmlRecord>): RecordFormat<XmlRecord> {
  return { ...format, slice: (part) => slicesOf(format, part) };
}

async function* slicesOf(format: RecordFormat<XmlRecord>, part: FeedDocument): AsyncGenerator<Slice> {
  let deletes = false;
  for await (const slice of format.slice(part)) {
    if (slice.kind === 'context' && slice.name === 'projects') {
      if (!IS_EMPTY.test(slice.bytes.toString('latin1')))
        yield { kind: 'noticed', code: 'unmapped_field', field: 'projects', message: '' };
      continue;
    }
    if (!deletes && slice.kind === 'record' && DELETES.test(slice.bytes.toString('latin1', 0, 1_000))) {
      deletes = true;
      yield { kind: 'scope', scope: DELETIONS };
    }
    yield slice;
  }
}

import { BadFeed } from '@passerelle/domain';
import { type JsonRecord, jsonRecords } from '../../formats/json-records';
import { type FeedDocument, type RecordContext, RecordError, type RecordFormat, type Slice } from '../../kit/contracts';
import { listOf } from '../../kit/values';
import { DEVELOPMENT, developmentOf, withDevelopment } from './developments';
import { toRaw } from './raw-fields';

/** Without `customerSendDate`, which would make all records look changed, and the customer's key `customerCode`. */
const ENVELOPE = ['customerCountry', 'customerName', 'customerContact'];
const OWN_LIST = 'customerProperties';
const DEVELOPMENT_LIST = 'customerNewDevelopments';
const PROPERTIES = jsonRecords({ records: OWN_LIST, envelope: ENVELOPE, beside: [DEVELOPMENT_LIST], raw: toRaw });
const DEVELOPMENTS = jsonRecords({ records: DEVELOPMENT_LIST, envelope: ENVELOPE, raw: toRaw });
const IS_ABSENT = /^the JSON document has no member /;

/** Maps a completed record to the record that the source delivered, which is published in `raw`. */
const originals = new WeakMap<JsonRecord, JsonRecord>();

/** Reads properties, units of developments, and developments without units. One of the two lists may be missing. */
export const IDEALISTA_RECORDS: RecordFormat<JsonRecord> = {
  ...PROPERTIES,
  slice: slicesOf,
  parse(bytes, context) {
    const original = PROPERTIES.parse(bytes, context);
    const development = developmentOf(original);
    if (development === undefined) return original;
    const record = withDevelopment(original, development);
    originals.set(record, original);
    return record;
  },
  toRaw: (record, context) => toRaw(originals.get(record) ?? record, context, record),
};

/** The members of the customer may come after the lists that need them, so this reads them first. */
async function* slicesOf(part: FeedDocument): AsyncGenerator<Slice> {
  let hasDevelopments = true;
  try {
    for await (const slice of DEVELOPMENTS.slice(part)) if (slice.kind === 'context') yield slice;
  } catch (error) {
    if (!isAbsence(error)) throw error;
    hasDevelopments = false;
  }
  let ending: Slice | undefined;
  try {
    for await (const slice of PROPERTIES.slice(part)) {
      if (slice.kind === 'incomplete') ending = slice;
      else if (slice.kind !== 'context') yield slice;
    }
  } catch (error) {
    if (!hasDevelopments || !isAbsence(error)) throw error;
  }
  if (hasDevelopments) {
    for await (const slice of DEVELOPMENTS.slice(part)) {
      if (slice.kind === 'incomplete') ending ??= slice;
      else if (slice.kind === 'record') yield* unitsOf(slice);
      // The pass over the properties already reports unknown lists.
      else if (slice.kind !== 'context' && slice.kind !== 'unknown') yield slice;
    }
  }
  if (ending !== undefined) yield ending;
}

/** A list that exists but cannot be read is not a missing list. */
function isAbsence(error: unknown): boolean {
  return error instanceof BadFeed && IS_ABSENT.test(error.message);
}

const SILENT: RecordContext = { crm: '', settings: {}, feed: {}, warn: () => undefined };

function* unitsOf(slice: Extract<Slice, { kind: 'record' }>): Generator<Slice> {
  let development: JsonRecord;
  try {
    development = DEVELOPMENTS.parse(slice.bytes, SILENT);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    // The mapping then rejects this development once.
    yield slice;
    return;
  }
  const { newDevelopmentTypologies: typologies, ...own } = development;
  const units = listOf(typologies);
  if (units.length === 0) yield slice;
  for (const unit of units) {
    const isObject = typeof unit === 'object' && unit !== null && !Array.isArray(unit);
    const bytes = Buffer.from(JSON.stringify(isObject ? { ...unit, [DEVELOPMENT]: own } : unit));
    yield { kind: 'record', bytes, line: slice.line };
  }
}

import type { JsonRecord } from '../../formats/json-records';
import { xmlNamesOf } from '../../formats/swissrets/json-inventory';
import { toJsonPath } from '../../formats/swissrets/json-names';
import { imagesOf } from '../../formats/swissrets/localizations';
import { SWISSRETS_MAPPING, SWISSRETS_RULES } from '../../formats/swissrets/mapping';
import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping, ListingRules } from '../../kit/listing-mapping';
import * as v from '../../kit/verbs';
import type { Verb } from '../../kit/verbs';

/** SwissRETS JSON. Paths start at an element of `properties`. The fields have the same meaning as in the XML. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...(Object.fromEntries(
    Object.entries(SWISSRETS_MAPPING).map(([field, verb]) => [field, ofJson(verb)]),
  ) as ListingMapping<JsonRecord>),
  // The verb reports a missing file later, under this path.
  photos: v.photos('localizations.attachments.images', (record, context) =>
    imagesOf(xmlNamesOf(record), inJsonNames(context)),
  ),
};

export const RULES: ListingRules<JsonRecord> = {
  withdrawn: (record, context) => SWISSRETS_RULES.withdrawn?.(xmlNamesOf(record), inJsonNames(context)),
};

function ofJson({ verb, paths, read }: Verb<XmlRecord, unknown>): Verb<JsonRecord, unknown> {
  return {
    verb,
    paths: paths.map(toJsonPath),
    read: (record, context) => read(xmlNamesOf(record), inJsonNames(context)),
  };
}

/** Each context has one derived context, so that a group of fields is read only once. */
const contexts = new WeakMap<RecordContext, RecordContext>();

/** A context whose warnings use the paths of the JSON file. */
function inJsonNames(context: RecordContext): RecordContext {
  const known = contexts.get(context);
  if (known !== undefined) return known;
  const warn: RecordContext['warn'] = (code, field, value) => {
    context.warn(code, toJsonPath(field), value);
  };
  // All members except `warn` come from `context`.
  const named = Object.assign(Object.create(context) as RecordContext, { warn });
  contexts.set(context, named);
  return named;
}

import { LISTING_FIELDS, type ListingField } from '@passerelle/domain';

import { type Mapped, type MappedListing, type RecordContext, RecordError } from './contracts';
import { isAbsent, type MappedField, type Verb } from './verbs';

/** One answer for every field of a listing: the compiler asks when a field is added. */
export type ListingMapping<R> = { readonly [F in MappedField]-?: Verb<R, NonNullable<MappedListing[F]>> };

/** What a record says beside its listing. */
export interface ListingRules<R> {
  /** In feeds of several agencies: whose the record is. */
  scope?(record: R, context: RecordContext): string | undefined;
  /** Decides between two records with one id: the greater text wins. */
  revision?(record: R, context: RecordContext): string | undefined;
  /** Why the record is not to be shown, in words; undefined for one that is. */
  withdrawn?(record: R, context: RecordContext): string | undefined;
}

/**
 * The `map` of a connector, from its mapping. Absent values are absent keys, keys come in the order of the vocabulary.
 */
export function toListing<R>(
  mapping: ListingMapping<R>,
  rules: ListingRules<R> = {},
): (record: R, context: RecordContext) => Mapped {
  const answers = LISTING_FIELDS.flatMap((field): Answer<R>[] => {
    if (field === 'passerelleName') return [[field, (_record, context) => context.crm]];
    return field === 'affId' || isAbsent(mapping[field]) ? [] : [[field, mapping[field].read.bind(mapping[field])]];
  });
  return (record, context) => {
    const affId = mapping.affId.read(record, context);
    if (affId === undefined) {
      throw new RecordError('missing_id', 'the record has no identifier', mapping.affId.paths.join(', ') || undefined);
    }
    try {
      const scope = rules.scope?.(record, context);
      const message = rules.withdrawn?.(record, context);
      if (message !== undefined)
        return { kind: 'withdrawn', affId, ...(scope === undefined ? {} : { scope }), message };
      const revision = rules.revision?.(record, context);
      return {
        kind: 'listing',
        listing: fill(affId, answers, record, context),
        ...(scope === undefined ? {} : { scope }),
        ...(revision === undefined ? {} : { revision }),
      };
    } catch (error) {
      throw aboutRecord(error, affId);
    }
  };
}

/** The message of a stranger may quote the record: only its kind is told. */
function aboutRecord(error: unknown, affId: string): RecordError {
  if (error instanceof RecordError) return new RecordError(error.code, error.message, error.field, affId);
  const kind = error instanceof Error ? error.name : 'error';
  return new RecordError('malformed', `the record could not be read (${kind})`, undefined, affId);
}

type Answer<R> = readonly [ListingField, (record: R, context: RecordContext) => unknown];

function fill<R>(affId: string, answers: readonly Answer<R>[], record: R, context: RecordContext): MappedListing {
  const listing: Record<string, unknown> = { affId };
  for (const [field, read] of answers) {
    const value = read(record, context);
    if (value !== undefined) listing[field] = value;
  }
  listing['photos'] ??= [];
  // Each value has the type of its field: `ListingMapping` says so.
  return listing as unknown as MappedListing;
}

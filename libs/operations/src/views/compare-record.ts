/** A field with what stands in it: `localisation.ville`, `photos[2].url`. */
export interface FieldValue {
  field: string;
  value: string;
}

/** A field of the record as it came, beside what became of it. */
export interface ComparedField extends FieldValue {
  /** The fields of the listing that have this value, as it is or in another writing. */
  became: string[];
}

export interface ComparedRecord {
  fields: ComparedField[];
  /** Fields of the listing whose value stands nowhere in the record as it is: translated, computed, or put together. */
  made: FieldValue[];
}

/** A text as long as a description. */
const MOST_LETTERS = 2_000;

/**
 * Holds the record as it came against the listing that was made of it, by values: a connector says what it makes of a record, and not of
 * which field. So a field whose value stands nowhere in the listing was translated, or left out.
 */
export function compareRecord(raw: unknown, listing: unknown): ComparedRecord {
  const of = fieldsOf(listing);
  const fieldsWith = new Map<string, string[]>();
  for (const { field, value } of of) {
    const key = keyOf(value);
    fieldsWith.set(key, [...(fieldsWith.get(key) ?? []), field]);
  }
  const fields = fieldsOf(raw).map((one) => ({ ...one, became: fieldsWith.get(keyOf(one.value)) ?? [] }));
  const taken = new Set(fields.flatMap(({ became }) => became));
  return { fields, made: of.filter(({ field }) => !taken.has(field)) };
}

/** A field that is not the same in two listings. */
export interface FieldDifference {
  field: string;
  before: string | null;
  after: string | null;
}

/** What is not the same; null for a listing that was not there, or is not kept. */
export function differencesOf(before: unknown, after: unknown): FieldDifference[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
    .filter((difference) => difference.before !== difference.after);
}

function valuesOf(value: unknown): Map<string, string> {
  return new Map(fieldsOf(value).map((one) => [one.field, one.value]));
}

function fieldsOf(value: unknown, field = ''): FieldValue[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => fieldsOf(item, `${field}[${index + 1}]`));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, field === '' ? name : `${field}.${name}`));
  }
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- objects are taken apart above
  return [{ field, value: String(value).slice(0, MOST_LETTERS) }];
}

/** `450000.00` and 450000, `TRUE` and true are one value; so are texts that differ in spaces. */
function keyOf(value: string): string {
  const text = value.trim();
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text)) return String(Number(text));
  return text.replace(/\s+/g, ' ').toLowerCase();
}

/** A field with what stands in it: `localisation.ville`, `photos[2].url`. */
export interface FieldValue {
  field: string;
  value: string;
}

/** A field of the record as it came, beside what became of it. */
export interface ComparedField extends FieldValue {
  /** The fields of the listing that have this value, as it is or in another writing. */
  became: string[];
  /** Where there are none: the fields of the listing that are other ones without it; null where nobody has looked. */
  makes: string[] | null;
}

export interface ComparedRecord {
  fields: ComparedField[];
  /** Fields of the listing whose value stands nowhere in the record as it is: translated, computed, or put together. */
  made: FieldValue[];
  /**
   * Fields of the listing, photos apart, that the record by itself does not make as they are: they come from what stood beside it, from
   * what is private, or from rules of before. A field that makes nothing may still be needed for these.
   */
  unmade: string[];
}

/** A text as long as a description. */
const MOST_LETTERS = 2_000;

/** A record maps in a fraction of a millisecond, and somebody waits. */
const MOST_LEFT_OUT = 500;

/** What a connector makes of a record that nobody has fetched; null for no listing. */
export type Remap = (record: Readonly<Record<string, unknown>>) => unknown;

/**
 * Holds the record as it came against the listing that was made of it, by values: a connector says what it makes of a record, and not of
 * which field. A field whose value stands nowhere in the listing was translated, or not used: which of them shows when the record is
 * mapped once with it and once without.
 */
export function compareRecord(
  raw: Readonly<Record<string, unknown>>,
  listing: unknown,
  remap: Remap = () => null,
): ComparedRecord {
  const of = fieldsOf(listing);
  const fieldsWith = new Map<string, string[]>();
  for (const { field, value } of of) {
    const key = keyOf(value);
    fieldsWith.set(key, [...(fieldsWith.get(key) ?? []), field]);
  }
  const whole = remap(raw);
  let left = MOST_LEFT_OUT;
  const fields = leavesOf(raw).map(({ field, value, path }): ComparedField => {
    const became = fieldsWith.get(keyOf(value)) ?? [];
    if (whole === null || became.length > 0 || left === 0) return { field, value, became, makes: null };
    left -= 1;
    return { field, value, became, makes: differencesOf(whole, remap(without(raw, path))).map((one) => one.field) };
  });
  const taken = new Set(fields.flatMap(({ became }) => became));
  const unmade = whole === null ? [] : differencesOf(whole, listing).filter(({ after }) => after !== null);
  return {
    fields,
    made: of.filter(({ field }) => !taken.has(field)),
    unmade: unmade.map(({ field }) => field).filter((field) => !field.startsWith('photos[')),
  };
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

function fieldsOf(value: unknown): FieldValue[] {
  return leavesOf(value).map(({ field, value: text }) => ({ field, value: text }));
}

/** The steps to a value, from the outside. */
type Path = readonly (string | number)[];

function leavesOf(value: unknown, path: Path = []): (FieldValue & { path: Path })[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
  }
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- objects are taken apart above
  return [{ field: nameOf(path), value: String(value).slice(0, MOST_LETTERS), path }];
}

function nameOf(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step + 1}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The same without one value; nothing of it is changed. */
function without<Part>(part: Part, [step, ...deeper]: Path): Part {
  if (Array.isArray(part)) {
    const rest = deeper.length === 0 ? [] : [without(part[Number(step)] as unknown, deeper)];
    return part.toSpliced(Number(step), 1, ...rest) as Part;
  }
  const { [String(step)]: inner, ...others } = part as Record<string, unknown>;
  if (deeper.length === 0) return others as Part;
  return { ...(part as object), [String(step)]: without(inner, deeper) } as Part;
}

/** `450000.00` and 450000, `TRUE` and true are one value; so are texts that differ in spaces. */
function keyOf(value: string): string {
  const text = value.trim();
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text)) return String(Number(text));
  return text.replace(/\s+/g, ' ').toLowerCase();
}

/** A field, such as `localisation.ville` or `photos[2].url`, and its value. */
export interface FieldValue {
  field: string;
  value: string;
}

export interface ComparedField extends FieldValue {
  /** The fields of the listing that have this value, in the same or another notation. */
  became: string[];
  /** If `became` is empty: the listing's fields that change if the record lacks this field; null if not tried. */
  makes: string[] | null;
}

export interface ComparedRecord {
  fields: ComparedField[];
  /** Fields of the listing whose values do not occur in the record: they were translated, computed or combined. */
  made: FieldValue[];
  /** Fields, except photos, that come not from this record, but from other elements, private data or earlier rules. */
  unmade: string[];
}

/** Enough for a long description. */
const MOST_LETTERS = 2_000;

/** A limit, because each mapping takes a fraction of a millisecond while an operator waits. */
const MOST_LEFT_OUT = 500;

/** Maps one record outside of a run; null when the result is not a listing. */
export type Remap = (record: Readonly<Record<string, unknown>>) => unknown;

/** Compares values, because connectors do not name the source of a value. Mapping without a field shows its use. */
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

export interface FieldDifference {
  field: string;
  before: string | null;
  after: string | null;
}

/** The fields that differ between two versions of a listing; a version that is not stored is null. */
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

function without<Part>(part: Part, [step, ...deeper]: Path): Part {
  if (Array.isArray(part)) {
    const rest = deeper.length === 0 ? [] : [without(part[Number(step)] as unknown, deeper)];
    return part.toSpliced(Number(step), 1, ...rest) as Part;
  }
  const { [String(step)]: inner, ...others } = part as Record<string, unknown>;
  if (deeper.length === 0) return others as Part;
  return { ...(part as object), [String(step)]: without(inner, deeper) } as Part;
}

/** Gives equal values the same key: `450000.00` and 450000, `TRUE` and true, and texts that differ only in spaces. */
function keyOf(value: string): string {
  const text = value.trim();
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text)) return String(Number(text));
  return text.replace(/\s+/g, ' ').toLowerCase();
}

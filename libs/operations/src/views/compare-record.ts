/** A field, such as `localisation.ville` or `photos[2].url`, and its value. */
export interface FieldValue {
  field: string;
  value: string;
}

export interface ComparedField extends FieldValue {
  /** The fields of the listing that another value, or none, changes; null when the mapping was not tried. */
  affects: string[] | null;
  /** Without the field the record becomes no listing. */
  isRequired: boolean;
  /** When the mapping was not tried: the fields of the listing that have the same value. */
  alike: string[];
}

export interface ComparedRecord {
  fields: ComparedField[];
  /** Fields of the listing that no single field of the record affects, or has the value of. */
  made: FieldValue[];
  /** Fields, except photos, that come not from this record, but from other elements, private data or earlier rules. */
  unmade: string[];
}

/** Enough for a long description. */
const MOST_LETTERS = 2_000;

/** A limit, because each field is mapped up to twice, a fraction of a millisecond each, while an operator waits. */
const MOST_TRIED = 300;

/** Maps one record outside of a run; null when the result is not a listing. */
export type Remap = (record: Readonly<Record<string, unknown>>) => unknown;

/** Finds what each field of a record does, by mapping the record again with another value and without the field. */
export function compareRecord(
  raw: Readonly<Record<string, unknown>>,
  listing: unknown,
  remap: Remap = () => null,
): ComparedRecord {
  const of = fieldsOf(listing);
  const whole = remap(raw);
  const fieldsWith = new Map<string, string[]>();
  for (const { field, value } of of) {
    const key = keyOf(value);
    fieldsWith.set(key, [...(fieldsWith.get(key) ?? []), field]);
  }
  const fields = leavesOf(raw).map(({ field, value, path }, at): ComparedField => {
    if (whole === null || at >= MOST_TRIED) {
      return { field, value, affects: null, isRequired: false, alike: fieldsWith.get(keyOf(value)) ?? [] };
    }
    return { field, value, ...effectOf(raw, path, { whole, remap }), alike: [] };
  });
  const taken = new Set(fields.flatMap(({ affects, alike }) => affects ?? alike));
  const unmade = whole === null ? [] : differencesOf(whole, listing).filter(({ after }) => after !== null);
  return {
    fields,
    made: of.filter(({ field }) => !taken.has(field)),
    unmade: unmade.map(({ field }) => field).filter((field) => !field.startsWith('photos[')),
  };
}

function effectOf(
  raw: Readonly<Record<string, unknown>>,
  path: Path,
  { whole, remap }: { whole: unknown; remap: Remap },
): Pick<ComparedField, 'affects' | 'isRequired'> {
  const changes = (record: Readonly<Record<string, unknown>>): string[] | null => {
    const mapped = remap(record);
    return mapped === null ? null : differencesOf(whole, mapped).map(({ field }) => field);
  };
  const changed = changes(withAnother(raw, path));
  if (changed !== null && changed.length > 0) return { affects: changed, isRequired: false };
  const left = changes(without(raw, path));
  return { affects: left ?? changed ?? [], isRequired: left === null };
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

/** The record with another value in one place. */
function withAnother<Part>(part: Part, [step, ...deeper]: Path): Part {
  if (step === undefined) return another(part) as Part;
  if (Array.isArray(part)) return part.with(Number(step), withAnother(part[Number(step)] as unknown, deeper)) as Part;
  const inner = (part as Record<string, unknown>)[String(step)];
  return { ...(part as object), [String(step)]: withAnother(inner, deeper) } as Part;
}

/** A number or an address stays one, so that the listing gets another value instead of none. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  const text = String(value).trim();
  if (/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return String(Number(text) + 1);
  if (/^(true|false)$/i.test(text)) return String(text.toLowerCase() === 'false');
  return text.includes('://') ? `${text}~` : '~';
}

/** Gives equal values the same key: `450000.00` and 450000, `TRUE` and true, and texts that differ only in spaces. */
function keyOf(value: string): string {
  const text = value.trim();
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text)) return String(Number(text));
  return text.replace(/\s+/g, ' ').toLowerCase();
}

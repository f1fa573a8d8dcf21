/** Reads the value at one path of a record; undefined when the path leads nowhere. */
export type ReadValue = (record: unknown) => unknown;

/**
 * Splits the path only once, when a connector is declared. If a step finds a list, it reads its first element; a number
 * is a position in a list.
 */
export function compilePath(path: string): ReadValue {
  const keys = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const [first, second] = keys;
  if (first === undefined || path === '') throw new Error('a path needs a name');
  if (second === undefined) return (record) => child(record, first);
  if (keys.length === 2) return (record) => child(child(record, first), second);
  return (record) => {
    let value = record;
    for (const key of keys) value = child(value, key);
    return value;
  };
}

function child(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return typeof key === 'number' ? (value[key] as unknown) : child(value[0], key);
  return (value as Readonly<Record<string | number, unknown>>)[key];
}

/** A value as a list: a single value becomes a list of one, an absent value an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

export type Scalar = string | number | boolean;

/** Texts that broken exporters write for an empty value. */
const NOTHING: ReadonlySet<string> = new Set(['null', 'NULL', 'undefined', 'NaN', 'Invalid Date', '[object Object]']);
/** A longer text is not looked up, because a set reads the whole text to find it. */
const LONGEST_NOTHING = Math.max(...[...NOTHING].map((word) => word.length));

/**
 * The trimmed value of a field. For an element its text, for a list its first value with content, for other structures
 * undefined.
 */
export function scalarOf(value: unknown): Scalar | undefined {
  switch (typeof value) {
    case 'string': {
      const text = value.trim();
      return text === '' || (text.length <= LONGEST_NOTHING && NOTHING.has(text)) ? undefined : text;
    }
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return undefined;
      if (Array.isArray(value)) return firstScalar(value);
      return scalarOf((value as { '#text'?: unknown })['#text']);
    default:
      return undefined;
  }
}

function firstScalar(values: readonly unknown[]): Scalar | undefined {
  for (const value of values) {
    const scalar = scalarOf(value);
    if (scalar !== undefined) return scalar;
  }
  return undefined;
}

/** The value of a field as text. A number keeps its digits; a boolean gives undefined. */
export function textOf(value: unknown): string | undefined {
  const scalar = scalarOf(value);
  return typeof scalar === 'number' ? String(scalar) : typeof scalar === 'string' ? scalar : undefined;
}

/**
 * The elements inside a wrapping element, such as `photo` in `photos`. The wrapping element may be repeated; plain text
 * in it counts as one item.
 */
export function wrappedList(value: unknown, name: string): readonly unknown[] {
  return Array.isArray(value) ? value.flatMap((one) => elementsOf(one, name)) : elementsOf(value, name);
}

function elementsOf(wrapping: unknown, name: string): readonly unknown[] {
  const bare = textOf(wrapping);
  if (typeof wrapping !== 'object' || wrapping === null) return bare === undefined ? [] : [bare];
  const elements = listOf((wrapping as Readonly<Record<string, unknown>>)[name]);
  return bare === undefined ? elements : [bare, ...elements];
}

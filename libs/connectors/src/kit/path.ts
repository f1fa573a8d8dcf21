/** Reads one place of a record; undefined where the record does not go that far. */
export type ReadValue = (record: unknown) => unknown;

/**
 * Compiles a path such as `price.value` or `surface_area.built` once, when a connector is declared, so that reading a
 * record splits no strings. A list in the way stands for its first element; a number is a place in a row.
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

/** A value as a list: a single one becomes a list of one, nothing an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

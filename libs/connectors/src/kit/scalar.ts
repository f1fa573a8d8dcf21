/** What a field of a feed can say at most. */
export type Scalar = string | number | boolean;

/** What broken exporters write where there is nothing. */
const NOTHING: ReadonlySet<string> = new Set(['null', 'NULL', 'undefined', 'NaN', 'Invalid Date', '[object Object]']);

/**
 * The one value of a field, trimmed: the text of an element with attributes, the first that says something where a field
 * is repeated. Undefined for nothing, blanks and structures.
 */
export function scalarOf(value: unknown): Scalar | undefined {
  switch (typeof value) {
    case 'string': {
      const text = value.trim();
      return text === '' || NOTHING.has(text) ? undefined : text;
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

/** The same as text; a number keeps the digits it came with, a yes or no is no text. */
export function textOf(value: unknown): string | undefined {
  const scalar = scalarOf(value);
  return typeof scalar === 'number' ? String(scalar) : typeof scalar === 'string' ? scalar : undefined;
}

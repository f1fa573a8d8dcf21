export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

/** A type in a few words, such as "integer, 1 to 200, default 50". */
export function typeOf(schema: Schema): string {
  const { $ref, items, anyOf, allOf } = schema;
  if ($ref !== undefined) return linkTo($ref.slice($ref.lastIndexOf('/') + 1));
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (allOf !== undefined) return allOf.map(typeOf).join(' and ');
  const names = items === undefined ? typeNames(schema) : `list of ${typeOf(items)}`;
  return [names, ...limitsOf(schema)].filter((text) => text !== '').join(', ');
}

function linkTo(name: string): string {
  if (name === 'Property') return '[Property](data-model.md#a-listing)';
  return `[${name}](#${name.toLowerCase()})`;
}

function typeNames({ type = 'any', format, enum: values, const: only }: Schema): string {
  if (only !== undefined) return code(only);
  if (values !== undefined) return values.map(code).join(', ');
  const names = (typeof type === 'string' ? [type] : type).map((name) => (name === 'string' ? 'text' : name));
  return `${names.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

function limitsOf({ minimum, maximum, minItems, maxItems, default: usual }: Schema): string[] {
  return [
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    range(minItems, maxItems),
    usual === undefined ? '' : `default ${code(usual)}`,
  ];
}

function range(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `from ${String(least)}`;
  return least === undefined ? `up to ${String(most)}` : `${String(least)} to ${String(most)}`;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

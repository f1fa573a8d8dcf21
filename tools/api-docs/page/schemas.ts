import type { JsonSchema } from '../description/json-schema';
import { type Description, nameOf } from './description';
import { type Html, line, links, table, markup } from './markup';

type Schemas = Description['components']['schemas'];

/** Words that are so many that they stand in the list of enumerations. */
const MANY_WORDS = 4;

/** The members of an object: name, type, meaning. Members of objects within it follow with their whole names. */
export function membersTable(schemas: Schemas, owner: string, schema = schemas[owner] ?? {}): Html {
  return table(
    ['name', 'type', 'meaning'],
    membersOf(schema).map(({ name, schema: member, isRequired }) => [
      markup`<code>${name}</code>${isRequired ? '' : markup` <small>optional</small>`}`,
      typeOf(schemas, member),
      meaningOf(resolvedSchema(schemas, member), `${owner}.${name}`),
    ]),
  );
}

interface Member {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
}

function membersOf({ properties = {}, required }: JsonSchema, prefix = ''): Member[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    // Where nothing is required, "optional" would say nothing.
    { name: prefix + name, schema, isRequired: required === undefined || required.includes(name) },
    ...membersOf(schema, `${prefix}${name}.`),
    ...membersOf(schema.items ?? {}, `${prefix}${name}[].`),
  ]);
}

/** A type in words, with links to the objects that it names. */
export function typeOf(schemas: Schemas, schema: JsonSchema): Html {
  const { $ref } = schema;
  const { type, items, anyOf, properties, format } = resolvedSchema(schemas, schema);
  if ($ref !== undefined && properties !== undefined) return links([{ to: objectId($ref), text: nameOf($ref) }]);
  if (anyOf !== undefined)
    return markup`${anyOf.map((one, index) => [index === 0 ? '' : ' or ', typeOf(schemas, one)])}`;
  if (items !== undefined) return markup`array of ${typeOf(schemas, items)}`;
  const names = (typeof type === 'string' ? [type] : (type ?? ['object'])).join(' or ');
  return markup`${format === undefined ? names : `${names} (${format})`}`;
}

/** The schema itself, where there is only its name. */
function resolvedSchema(schemas: Schemas, schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? schema);
}

/** Where an object is told. @param name its name, or a reference to it */
export function objectId(name: string): string {
  return `object-${nameOf(name)}`;
}

/** What a value means and may be. */
export function meaningOf(schema: JsonSchema, owner: string | null): Html {
  const parts = [line(schema.description ?? ''), ...limitsOf(schema), wordsOf(schema, owner)];
  return markup`${parts.map((part) => [part, ' '])}`;
}

function limitsOf({ minimum, maximum, default: preset, const: only, pattern }: JsonSchema): Html[] {
  return [
    ...(only === undefined ? [] : [markup`Always <code>${String(only)}</code>.`]),
    ...(minimum !== undefined && isLimit(maximum) ? [markup`From ${minimum} to ${maximum}.`] : []),
    ...(preset === undefined ? [] : [markup`Default <code>${preset}</code>.`]),
    ...(pattern === undefined ? [] : [markup`Pattern <code>${pattern}</code>.`]),
  ];
}

/** The largest number that can be stored is no limit that a person cares for. */
function isLimit(maximum: number | undefined): maximum is number {
  return maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
}

/** @param owner null for a parameter, whose words have no list of their own. */
function wordsOf({ enum: words }: JsonSchema, owner: string | null): Html {
  if (words === undefined) return markup``;
  if (owner !== null && words.length > MANY_WORDS)
    return links([{ to: enumId(owner), text: `its ${words.length} words` }]);
  return markup`One of ${chips(words)}`;
}

/** Words as they are sent; null among them is the value, no word. */
export function chips(words: readonly (string | null)[]): Html {
  return markup`<span class="chips">${words.map((word) => markup`<code>${word ?? 'null'}</code> `)}</span>`;
}

export interface Enumeration {
  owner: string;
  words: readonly string[];
  description: string;
}

/** Every enumeration among the objects, by its whole name; the same under two names is told under both. */
export function enumerationsOf(schemas: Schemas): Enumeration[] {
  return Object.entries(schemas).flatMap(([object, schema]) =>
    membersOf(schema).flatMap(({ name, schema: { enum: words, description = '' } }) =>
      words === undefined ? [] : [{ owner: `${object}.${name}`, words, description }],
    ),
  );
}

export function enumId(owner: string): string {
  return `words-${owner.replace(/[^A-Za-z]+/g, '-')}`;
}

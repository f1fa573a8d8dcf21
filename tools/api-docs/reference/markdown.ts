import { typeOf, type Schema } from './type-text';

interface Parameter {
  name: string;
  in: string;
  description: string;
  required: boolean;
  schema: Schema;
}

interface Content {
  schema: Schema;
}

interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Content>;
}

interface Call {
  tags: readonly string[];
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  security?: readonly object[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer>;
}

export interface ApiDescription {
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Call>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, { description: string; schema: Schema }>;
    responses: Record<string, Answer>;
  };
}

/** Every response has these headers, and every call with a key has the parameters in `GATEWAY`. */
const COMMON_HEADERS = /^(?:X-Request-Id|X-Listings-API-Version|Cache-Control|RateLimit-.*)$/;
const GATEWAY = new Set(['crm', 'client']);
/** Schemas in docs/data-model.md. */
const ELSEWHERE = new Set(['Property']);

/** The reference of the API for docs/api.md, generated from openapi.json. */
export function apiReference({ tags, paths, components }: ApiDescription): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, call]) => ({ title: `${method.toUpperCase()} ${path}`, call })),
  );
  const byTag = tags.flatMap(({ name, description }) => [
    `## ${name}`,
    description,
    ...calls.filter(({ call }) => call.tags.includes(name)).flatMap(({ title, call }) => callSection(title, call)),
  ]);
  const headers = Object.entries(components.headers).map(([name, { description }]) => [
    `\`${spelling(name, paths)}\``,
    description,
  ]);
  const errors = Object.values(components.responses).map(({ description = '', content }) => [
    `\`${codeOf(content)}\``,
    description,
  ]);
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => !ELSEWHERE.has(name))
    .flatMap(([name, schema]) => [`### ${name}`, schema.description ?? '', ...membersTable(schema)]);
  return [
    ...byTag,
    '## Headers of answers',
    table(['header', 'meaning'], headers),
    '## Errors',
    table(['code', 'meaning'], errors),
    '## Objects',
    ...schemas,
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function callSection(title: string, call: Call): string[] {
  const { summary, description = '', parameters = [], security = [], requestBody, responses } = call;
  const rows = parameters
    .filter(({ name, in: where }) => !(where === 'query' && GATEWAY.has(name) && security.length > 0))
    .map(({ name, required, schema, description: about }) => [
      `\`${name}\`${required ? ' (required)' : ''}`,
      typeOf(schema),
      about,
    ]);
  const answers = Object.entries(responses)
    .filter(([status]) => /^[123]/.test(status))
    .map(([status, answer]) => [status, contentOf(answer.content), headersOf(answer), answer.description ?? '']);
  return [
    `### ${title}`,
    [`${summary}.`, description, security.length > 0 ? '' : 'It needs no key.'].filter((text) => text !== '').join(' '),
    ...(rows.length === 0 ? [] : [table(['parameter', 'type', 'meaning'], rows)]),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => `Body: ${typeOf(schema)}.`),
    table(['answer', 'body', 'headers', 'meaning'], answers),
  ];
}

function contentOf(content: Answer['content'] = {}): string {
  return Object.entries(content)
    .map(([type, { schema }]) => (type === 'application/json' ? jsonBody(schema) : `\`${type}\``))
    .join(', ');
}

/** Shows the members of an envelope, except those that every successful response has. */
function jsonBody(schema: Schema): string {
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== 'status' && name !== 'request_id',
  );
  if (members.length === 0) return typeOf(schema);
  return members.map(([name, member]) => `\`${name}\`: ${typeOf(member)}`).join(', ');
}

function headersOf({ headers = {} }: Answer): string {
  return Object.keys(headers)
    .filter((name) => !COMMON_HEADERS.test(name))
    .map((name) => `\`${name}\``)
    .join(' ');
}

function membersTable(schema: Schema): string[] {
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? [] : [table(['member', 'type', 'meaning'], rows)];
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.items ?? schema;
    const path = `${prefix}${name}`;
    return [
      [`\`${path}\`${required.includes(name) ? ' (always)' : ''}`, typeOf(schema), schema.description ?? ''],
      ...(inner.$ref === undefined ? rowsOf(inner, `${path}${schema.items === undefined ? '' : '[]'}.`) : []),
    ];
  });
}

function codeOf(content: Answer['content'] = {}): string {
  const schema = content['application/json']?.schema;
  const code = schema?.allOf?.map((part) => part.properties?.['code']?.const).find((value) => value !== undefined);
  return typeof code === 'string' ? code : 'any other';
}

/** The spelling of a header in responses, for a key in `components`. */
function spelling(key: string, paths: ApiDescription['paths']): string {
  for (const call of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { headers = {} } of Object.values(call.responses)) {
      const found = Object.entries(headers).find(([, { $ref }]) => $ref.endsWith(`/${key}`));
      if (found !== undefined) return found[0];
    }
  }
  return key;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

import type { JsonSchema } from '../description/json-schema';

/** What the page reads of openapi.json. */
export interface Description {
  info: { title: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>;
  components: {
    schemas: Readonly<Record<string, JsonSchema>>;
    headers: Readonly<Record<string, DescribedHeader>>;
    responses: Readonly<Record<string, DescribedResponse>>;
    securitySchemes: Readonly<Record<string, { description: string; name?: string }>>;
  };
}

export interface DescribedCall {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters?: readonly DescribedParameter[];
  security: readonly object[];
  requestBody?: { content: Readonly<Record<string, DescribedBody>> };
  responses: Readonly<Record<string, DescribedResponse>>;
}

export interface DescribedParameter {
  name: string;
  in: 'query' | 'path' | 'header';
  description: string;
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface DescribedResponse {
  $ref?: string;
  description?: string;
  headers?: Readonly<Record<string, { $ref: string }>>;
  content?: Readonly<Record<string, DescribedBody>>;
}

interface DescribedBody {
  schema: JsonSchema;
  example?: unknown;
}

export interface DescribedHeader {
  description: string;
  required: boolean;
  schema: JsonSchema;
}

/** One call with its method and its path. */
export interface NamedCall {
  method: string;
  path: string;
  call: DescribedCall;
}

/** Every call; `HEAD` answers as `GET` does, and is not told again. */
export function callsOf({ paths }: Description): NamedCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, call]) => ({ method: method.toUpperCase(), path, call })),
  );
}

/** The last part of a reference within the description. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

/** A response itself, where an operation refers to it. */
export function resolved({ components }: Description, response: DescribedResponse): DescribedResponse {
  return response.$ref === undefined ? response : (components.responses[nameOf(response.$ref)] ?? response);
}

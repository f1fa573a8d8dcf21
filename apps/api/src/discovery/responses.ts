import { API_ERRORS, type ApiErrorCode } from '@passerelle/domain';
import type { JsonSchema } from '../http/json-schema';

type Json = Readonly<Record<string, unknown>>;

const header = (description: string, required: boolean, schema: Json = { type: 'string' }): Json => ({
  description,
  required,
  schema,
});

export const HEADERS: Json = {
  XRequestId: header('Correlation identifier for support and logs.', true, {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  XListingsApiVersion: header('Version of the API.', true, { type: 'string', const: '1' }),
  XCache: header(
    'HIT: the source confirmed the listings recently. MISS: they are older, and a refresh is under way.',
    true,
    {
      type: 'string',
      enum: ['HIT', 'MISS'],
    },
  ),
  XSnapshot: header('Token of the snapshot that the answer comes from.', true, {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,32}$',
  }),
  XSnapshotTotal: header('How many properties that snapshot has.', true, { type: 'integer', minimum: 0 }),
  XConfirmedAt: header('When the source last confirmed that snapshot, ISO 8601.', false, {
    type: 'string',
    format: 'date-time',
  }),
  LastModified: header('When that snapshot was published.', true),
  ETag: header('Weak validator; send it back as If-None-Match.', true),
  Link: header('The first, prev, next and last page of the same snapshot (RFC 8288).', false),
  CacheControl: header('Answers are for one client.', true),
  RetryAfter: header('Seconds to wait before the next try.', false, { type: 'integer', minimum: 1 }),
  Allow: header('Methods of this endpoint; on METHOD_NOT_ALLOWED.', false),
  WwwAuthenticate: header('How to authenticate.', true),
};

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** Headers of every answer. */
const STANDARD = {
  'X-Request-Id': ref('XRequestId'),
  'X-Listings-API-Version': ref('XListingsApiVersion'),
  'Cache-Control': ref('CacheControl'),
};

/** Headers of every answer that comes from a snapshot. */
const OF_SNAPSHOT = {
  'X-Cache': ref('XCache'),
  'X-Snapshot': ref('XSnapshot'),
  'X-Snapshot-Total': ref('XSnapshotTotal'),
  'X-Confirmed-At': ref('XConfirmedAt'),
  'Last-Modified': ref('LastModified'),
  ETag: ref('ETag'),
};

const EXAMPLE_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** A success with its body. */
export function ok(
  schema: JsonSchema,
  example: Json | readonly unknown[],
  { description = 'OK.', headers = {} }: { description?: string; headers?: Json } = {},
): Json {
  return {
    description,
    headers: { ...STANDARD, ...headers },
    content: {
      'application/json': {
        schema,
        example: isList(example) ? example : { status: 'success', ...example, request_id: EXAMPLE_ID },
      },
    },
  };
}

/** A success that comes from a snapshot, and the 304 for who has it. */
export function fromSnapshot(
  schema: JsonSchema,
  example: Json | readonly unknown[],
  { hasLink = false } = {},
): { '200': Json; '304': Json } {
  const headers = { ...OF_SNAPSHOT, ...(hasLink && { Link: ref('Link') }) };
  return {
    '200': ok(schema, example, { headers }),
    '304': { description: 'The client has it: If-None-Match names it.', headers: { ...STANDARD, ...headers } },
  };
}

function isList(example: Json | readonly unknown[]): example is readonly unknown[] {
  return Array.isArray(example);
}

/** A success whose body is a document, without the envelope. */
export function document(type: string, schema: JsonSchema): Json {
  return { description: 'OK.', headers: STANDARD, content: { [type]: { schema } } };
}

interface Described {
  name: string;
  description: string;
  message: string;
  detail?: Json;
  headers?: Json;
}

const ERRORS: Record<ApiErrorCode, Described> = {
  BAD_REQUEST: {
    name: 'BadRequest',
    description: 'A parameter is missing or invalid, or the request is malformed.',
    message: 'The query parameter "per_page" is invalid: it must be a plain integer from 1 to 200.',
    detail: { parameter: 'per_page', allowed: 'a plain integer from 1 to 200' },
  },
  AUTH_FAILED: {
    name: 'AuthFailed',
    description: 'The API key, or the combination of client and crm, is invalid.',
    message: 'The API key, or the combination of client and crm, is invalid.',
    headers: { 'WWW-Authenticate': ref('WwwAuthenticate') },
  },
  FORBIDDEN: {
    name: 'Forbidden',
    description: 'The gateway is disabled, or its contract has ended.',
    message: 'This gateway is disabled.',
  },
  NOT_FOUND: {
    name: 'NotFound',
    description: 'There is no such endpoint or property.',
    message: 'No property of this gateway has that affId or affNum.',
  },
  METHOD_NOT_ALLOWED: {
    name: 'MethodNotAllowed',
    description: 'The endpoint does not support this method.',
    message: 'This endpoint does not support DELETE; it supports GET, HEAD.',
    headers: { Allow: ref('Allow') },
  },
  RATE_LIMITED: {
    name: 'RateLimited',
    description: 'Too many requests. Only where the operator has switched a limit on.',
    message: 'Too many requests: at most 600 a minute. Try again in 12 s.',
    headers: { 'Retry-After': ref('RetryAfter') },
  },
  INTERNAL_ERROR: {
    name: 'InternalError',
    description: 'The server failed, or the gateway has nothing to serve yet (then with Retry-After).',
    message: 'An internal error occurred. Quote the request_id when you report it.',
    headers: { 'Retry-After': ref('RetryAfter') },
  },
};

function error(code: ApiErrorCode): Json {
  const { description, message, detail, headers } = ERRORS[code];
  return {
    description,
    headers: { ...STANDARD, ...headers },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { code: { const: code } } }],
        },
        example: {
          status: 'error',
          code,
          message,
          timestamp: '2025-11-21T09:30:00.000Z',
          request_id: EXAMPLE_ID,
          ...(detail !== undefined && { detail }),
        },
      },
    },
  };
}

export const RESPONSES: Json = {
  ...Object.fromEntries((Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => [ERRORS[code].name, error(code)])),
  Error: {
    description: 'Any error, also of paths and methods that do not exist.',
    headers: { ...STANDARD, Allow: ref('Allow') },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
};

/** An operation's errors by status, and the default response for requests that match no operation. */
export function errors(...codes: ApiErrorCode[]): Json {
  const own = codes.map((code): [string, Json] => [
    String(API_ERRORS[code]),
    { $ref: `#/components/responses/${ERRORS[code].name}` },
  ]);
  return { ...Object.fromEntries(own), default: { $ref: '#/components/responses/Error' } };
}

/** Errors of calls that need a key, and where the key is. */
export const WITH_KEY: ApiErrorCode[] = ['BAD_REQUEST', 'AUTH_FAILED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR'];
export const KEY_IN_HEADER = [{ Key: [] }, { Bearer: [] }, { XListingsKey: [] }];

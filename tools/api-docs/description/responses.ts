import { API_ERRORS, type ApiErrorCode } from '@passerelle/domain';
import type { JsonSchema } from './json-schema';

type Json = Readonly<Record<string, unknown>>;

const header = (description: string, required: boolean, schema: Json = { type: 'string' }): Json => ({
  description,
  required,
  schema,
});

export const HEADERS: Json = {
  XRequestId: header('Correlation identifier for support and logs; the same as `request_id` in the body.', true, {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  XListingsApiVersion: header('Version of the API.', true, { type: 'string', const: '1' }),
  XCache: header(
    '`HIT`: the source confirmed the listings within the last hour (the operator may set another time). `MISS`: it did ' +
      'so longer ago; the last complete list is served, and a refresh has been requested. A snapshot that is no longer ' +
      'the current one is always a `MISS`. Neither says that listings have changed: `ETag` and `X-Snapshot` do.',
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
  ETag: header(
    'Validator of the answer; a request with it in `If-None-Match` gets 304 while nothing has changed.',
    true,
  ),
  AcceptRanges: header('`bytes`: `Range` requests a part.', true, { type: 'string', const: 'bytes' }),
  ContentRange: header('Which bytes of the photo, and its total number of bytes.', true),
  Location: header('Where it is.', true, { type: 'string', format: 'uri' }),
  Link: header('The first, prev, next and last page of the same snapshot (RFC 8288).', false),
  CacheControl: header(
    '`private, no-cache`: for one client, which asks again before each use. `private, no-store`: not to be kept; errors ' +
      'never are. `public`: for shared caches, as photos are.',
    true,
  ),
  RetryAfter: header('Seconds to wait before the next try.', false, { type: 'integer', minimum: 1 }),
  RateLimitLimit: header('Requests a minute, where a limit is set; with every answer to a call with a key.', false, {
    type: 'integer',
    minimum: 1,
  }),
  RateLimitRemaining: header('How many requests are left.', false, { type: 'integer', minimum: 0 }),
  RateLimitReset: header('Seconds until the count starts again.', false, { type: 'integer', minimum: 1 }),
  Allow: header('Methods of this endpoint; with `METHOD_NOT_ALLOWED`.', false),
  WwwAuthenticate: header('How to authenticate.', true),
};

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

const STANDARD = {
  'X-Request-Id': ref('XRequestId'),
  'X-Listings-API-Version': ref('XListingsApiVersion'),
  'Cache-Control': ref('CacheControl'),
  'RateLimit-Limit': ref('RateLimitLimit'),
  'RateLimit-Remaining': ref('RateLimitRemaining'),
  'RateLimit-Reset': ref('RateLimitReset'),
};

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

/** A successful response from a snapshot, and the 304 for clients that have the response. */
export function fromSnapshot(
  schema: JsonSchema,
  example: Json | readonly unknown[],
  { hasLink = false } = {},
): { '200': Json; '304': Json } {
  const headers = { ...OF_SNAPSHOT, ...(hasLink && { Link: ref('Link') }) };
  return {
    '200': ok(schema, example, { headers }),
    '304': {
      description: 'The client has it: `If-None-Match` names it. No body.',
      headers: { ...STANDARD, ...headers },
    },
  };
}

function isList(example: Json | readonly unknown[]): example is readonly unknown[] {
  return Array.isArray(example);
}

/** A successful response whose body is a document, without the envelope. */
export function document(type: string, schema: JsonSchema): Json {
  return { description: 'OK.', headers: STANDARD, content: { [type]: { schema } } };
}

/** A document from a snapshot, and the 304 for clients that have the document. */
export function documentFromSnapshot(type: string, schema: JsonSchema): { '200': Json; '304': Json } {
  const headers = { ...STANDARD, ...OF_SNAPSHOT };
  return {
    '200': { description: 'OK.', headers, content: { [type]: { schema } } },
    '304': { description: 'The client has it: `If-None-Match` names it. No body.', headers },
  };
}

const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf'];

export function photo(): Json {
  const headers = { ...STANDARD, ETag: ref('ETag'), 'Accept-Ranges': ref('AcceptRanges') };
  const content = Object.fromEntries(PHOTO_TYPES.map((type) => [type, { schema: { type: 'string' } }]));
  return {
    '200': { description: 'The photo, floor plan or document.', headers, content },
    '206': {
      description: 'The requested part.',
      headers: { ...headers, 'Content-Range': ref('ContentRange') },
      content,
    },
    '302': {
      description: 'The photo is in a public bucket, if the operator has set one.',
      headers: { ...STANDARD, Location: ref('Location') },
    },
    '304': { description: 'The client has it: If-None-Match names it.', headers },
  };
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
    description:
      'A parameter is missing, given twice or not allowed; `detail` names it and what is allowed. Also for a body that ' +
      'is not JSON, and for a request that is not valid HTTP. Change the request. With `detail.reason` `expired` the ' +
      'token names a snapshot that is no longer kept: start again with `detail.current`.',
    message: 'The query parameter "per_page" is invalid: it must be a plain integer from 1 to 200.',
    detail: { parameter: 'per_page', allowed: 'a plain integer from 1 to 200' },
  },
  AUTH_FAILED: {
    name: 'AuthFailed',
    description:
      'The API key, or the combination of client and crm, is invalid. The answer is the same for a wrong key, for a ' +
      'key that is not allowed for this call or network, and for an unknown gateway. Check `crm`, `client` and the key.',
    message: 'The API key, or the combination of client and crm, is invalid.',
    headers: { 'WWW-Authenticate': ref('WwwAuthenticate') },
  },
  FORBIDDEN: {
    name: 'Forbidden',
    description: 'The key is right, but the gateway is disabled or its contract has ended. Ask the operator.',
    message: 'This gateway is disabled.',
  },
  NOT_FOUND: {
    name: 'NotFound',
    description: 'There is no such endpoint, or no property with that `affId` or `affNum`.',
    message: 'No property of this gateway has that affId or affNum.',
  },
  METHOD_NOT_ALLOWED: {
    name: 'MethodNotAllowed',
    description: 'The endpoint exists, but not with this method; the header `Allow` names those that it has.',
    message: 'This endpoint does not support DELETE; it supports GET, HEAD.',
    headers: { Allow: ref('Allow') },
  },
  RATE_LIMITED: {
    name: 'RateLimited',
    description:
      'An extension of the contract. Too many requests with a wrong key from one network; requests with a valid key do ' +
      'not count. Or too many requests for one gateway, if the operator has set that limit. Wait for `Retry-After` ' +
      'seconds.',
    message: 'Too many requests: at most 600 a minute. Try again in 12 s.',
    headers: { 'Retry-After': ref('RetryAfter') },
  },
  INTERNAL_ERROR: {
    name: 'InternalError',
    description:
      'The server failed. With `Retry-After` and `detail.state`: the first import has not finished yet, which must not ' +
      'look like an empty list. Try again later, and remove nothing; quote the `request_id` if the error persists.',
    message: 'An internal error occurred. Quote the request_id when you report it.',
    headers: { 'Retry-After': ref('RetryAfter') },
  },
  UNAVAILABLE: {
    name: 'Unavailable',
    description:
      'An extension of the contract, only for calls of CRMs. The call was not recorded, because the database was out of reach for several seconds. ' +
      'Call again after `Retry-After` seconds.',
    message: 'The call could not be recorded. Try again in 5 s.',
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

/** The errors of calls that need a key, and the ways to send the key. */
export const WITH_KEY: ApiErrorCode[] = ['BAD_REQUEST', 'AUTH_FAILED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR'];

export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer to the same request: 304 while nothing has changed.',
  required: false,
  schema: { type: 'string' },
};

export const KEY_IN_HEADER = [{ Key: [] }, { Bearer: [] }, { XListingsKey: [] }];

import { SLUG_PATTERN } from '@passerelle/domain';
import type { JsonSchema } from '../http/json-schema';
import { ajv } from '../http/json-schema';
import { refusedParameter } from '../http/parameters';

/** What a plugin tells us of its import. */
export interface ReportRequest {
  crm: string;
  client: string;
  status: 'success' | 'error';
  key?: string;
  api_key?: string;
  count?: number;
  message?: string;
  site_url?: string;
  cms_url?: string;
}

const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_URL_CHARACTERS = 2_048;
/** The largest number that a count can be stored as. */
const MAX_COUNT = 2_147_483_647;
/** Line breaks and tabs are text; the other control characters are not, and NUL cannot be stored. */
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$';

export const SITE_URL_SCHEMA: JsonSchema = {
  type: 'string',
  format: 'uri',
  pattern: '^[hH][tT][tT][pP][sS]?://',
  maxLength: MAX_URL_CHARACTERS,
};

/** Declared in openapi.json and checked here. Members that are not declared are ignored; null is not an absent value. */
export const REPORT_REQUEST_SCHEMA = {
  type: 'object',
  description: 'The result of an import. Members that are not listed are ignored.',
  properties: {
    crm: { type: 'string', pattern: SLUG_PATTERN.source, description: 'Connector code of the gateway.' },
    client: { type: 'string', pattern: SLUG_PATTERN.source, description: 'Client slug of the gateway.' },
    status: { type: 'string', enum: ['success', 'error'], description: 'How the import ended.' },
    key: { type: 'string', description: 'API key, for those who cannot send it in a header; a header counts first.' },
    api_key: { type: 'string', description: 'API key as well; `key` counts first.' },
    count: { type: 'integer', minimum: 0, maximum: MAX_COUNT, description: 'Number of imported items.' },
    message: {
      type: 'string',
      maxLength: MAX_MESSAGE_CHARACTERS,
      pattern: NO_CONTROL_CHARACTERS,
      description: 'Free text.',
    },
    site_url: { ...SITE_URL_SCHEMA, description: 'http(s) address of the reporting site.' },
    cms_url: { ...SITE_URL_SCHEMA, description: 'As `site_url`, which counts first.' },
  },
  required: ['crm', 'client', 'status'],
} as const satisfies JsonSchema;

const ALLOWED: Readonly<Record<keyof ReportRequest, string>> = {
  crm: 'a string of letters, digits, hyphens and underscores',
  client: 'a string of letters, digits, hyphens and underscores',
  status: '"success" or "error"',
  key: 'a string',
  api_key: 'a string',
  count: `an integer from 0 to ${MAX_COUNT}`,
  message: `a string of at most ${MAX_MESSAGE_CHARACTERS} characters without control characters`,
  site_url: `an absolute http or https URI of at most ${MAX_URL_CHARACTERS} characters`,
  cms_url: `an absolute http or https URI of at most ${MAX_URL_CHARACTERS} characters`,
};

const isReportRequest = ajv.compile<ReportRequest>(REPORT_REQUEST_SCHEMA);

/** @throws ApiError BAD_REQUEST that names the first member that is missing or not allowed. */
export function parseReportRequest(body: unknown): ReportRequest {
  if (isReportRequest(body)) return body;
  const [error] = isReportRequest.errors ?? [];
  const missing: unknown = error?.params['missingProperty'];
  const member = typeof missing === 'string' ? missing : (error?.instancePath.slice(1) ?? '');
  if (!isMember(member)) throw refusedParameter('body', 'a JSON object', 'The body is invalid');
  const complaint = typeof missing === 'string' ? 'is missing' : 'is invalid';
  throw refusedParameter(member, ALLOWED[member], `The member "${member}" of the body ${complaint}`);
}

function isMember(name: string): name is keyof ReportRequest {
  return Object.hasOwn(ALLOWED, name);
}

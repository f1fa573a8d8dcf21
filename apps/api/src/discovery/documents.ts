import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiConfig } from '../config';

/** One line of the list in `/v1`. */
export interface Endpoint {
  method: string;
  path: string;
  /** Whether the endpoint needs an API key. */
  auth: boolean;
  purpose: string;
}

/** The output of `tools/api-docs` at build time, with blanks for values that only a running API knows. */
export interface Documents {
  endpoints: readonly Endpoint[];
  openapi: string;
  /** The page at `/docs`. */
  page: string;
  /** Files that the page loads from `/docs/…`: Swagger UI and the script that starts it. */
  assets: Readonly<Record<string, string>>;
}

export const BLANKS = {
  baseUrl: 'blank-base-url',
  crm: 'blank-crm',
  client: 'blank-client',
  demoGateways: 'blank-demo-gateways',
} as const;

export const DOCUMENT_FILES = { endpoints: 'endpoints.json', openapi: 'openapi.json', page: 'docs.html' } as const;

export const ASSET_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
};

const NO_DEMO = { crm: 'kyero', client: 'demo' };

/** Reads the documents from the build. @throws Error when there are none */
export function readDocuments(folder: string): Documents {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return {
    endpoints: JSON.parse(read(DOCUMENT_FILES.endpoints)) as Endpoint[],
    openapi: read(DOCUMENT_FILES.openapi),
    page: read(DOCUMENT_FILES.page),
    assets: Object.fromEntries(Object.keys(ASSET_TYPES).map((file) => [file, read(file)])),
  };
}

/** Fills in the values of this installation. */
export function filledIn(
  { endpoints, openapi, page, assets }: Documents,
  { baseUrl, demoGateways }: Pick<ApiConfig, 'baseUrl' | 'demoGateways'>,
): Documents {
  const { crm, client } = demoGateways[0] ?? NO_DEMO;
  const values = { baseUrl, crm, client };
  return {
    endpoints,
    assets,
    openapi: fill(openapi, values, inJson),
    page: fill(page, { demoGateways: JSON.stringify(demoGateways) }, inHtml),
  };
}

/** The content security policy of the page. It allows Swagger UI with its `data:` images, and calls to the API. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function tagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

function fill(
  text: string,
  values: Partial<Record<keyof typeof BLANKS, string>>,
  toText: (value: string) => string,
): string {
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(BLANKS[name as keyof typeof BLANKS], () => toText(value)),
    text,
  );
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function inHtml(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

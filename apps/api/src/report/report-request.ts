import { SLUG_PATTERN } from '@passerelle/domain';
import { z } from 'zod';
import { refusedParameter } from '../http/parameters';
import { isHttpAddress, MAX_URL_CHARACTERS, SITE_ADDRESS } from './site-address';

const MAX_MESSAGE_CHARACTERS = 4_000;
/** The largest count that can be stored. */
const MAX_COUNT = 2_147_483_647;
/** Line breaks and tabs are text; the other control characters are not, and NUL cannot be stored. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
/** Halves of surrogate pairs: they are not valid in UTF-8. */
const HALF_CHARACTERS = /\p{Surrogate}/gu;
const MAX_FAILED = 200;
const MAX_NAME_CHARACTERS = 200;

const slug = z.string().regex(SLUG_PATTERN);
const count = z.int().min(0).max(MAX_COUNT);

/** Truncate invalid messages instead of rejecting the report. */
function freeText(maxCharacters: number): z.ZodType<string, string> {
  return z.string().transform((text) => {
    const clean = text.replace(CONTROL_CHARACTERS, '').replace(HALF_CHARACTERS, '\ufffd');
    return clean.length <= maxCharacters ? clean : Array.from(clean).slice(0, maxCharacters).join('');
  });
}

const FAILED = z
  .array(
    z.object({
      affId: freeText(MAX_NAME_CHARACTERS).describe('The property.'),
      reason: freeText(MAX_MESSAGE_CHARACTERS).describe('Why it could not be imported.').optional(),
    }),
  )
  .transform((failed) => failed.slice(0, MAX_FAILED));

/** A plugin's report about its import. Undeclared members are ignored; null does not count as absent. */
export const REPORT_REQUEST = z.object({
  crm: slug.describe('Connector code of the gateway.'),
  client: slug.describe('Client slug of the gateway.'),
  status: z.enum(['success', 'error']).describe('How the import ended.'),
  key: z.string().describe('API key, for those who cannot send it in a header; a header counts first.').optional(),
  api_key: z.string().describe('API key as well; `key` counts first.').optional(),
  count: count.describe('Number of imported items.').optional(),
  message: freeText(MAX_MESSAGE_CHARACTERS)
    .describe(`Free text; what is longer than ${MAX_MESSAGE_CHARACTERS} characters is cut.`)
    .optional(),
  site_url: SITE_ADDRESS.describe('http(s) address of the reporting site.').optional(),
  cms_url: SITE_ADDRESS.describe('As `site_url`, which counts first.').optional(),
  snapshot: freeText(MAX_NAME_CHARACTERS).describe('Token of the snapshot that the site has applied.').optional(),
  added: count.describe('Items that the site did not have before.').optional(),
  updated: count.describe('Items that the site has changed.').optional(),
  removed: count.describe('Items that the site has removed.').optional(),
  failed: FAILED.describe(`Items that could not be imported; the first ${MAX_FAILED} are kept.`).optional(),
  plugin: freeText(MAX_NAME_CHARACTERS).describe('Name and version of the plugin.').optional(),
});

export type ReportRequest = z.infer<typeof REPORT_REQUEST>;

const ALLOWED: Readonly<Record<keyof ReportRequest, string>> = {
  crm: 'a string of letters, digits, hyphens and underscores',
  client: 'a string of letters, digits, hyphens and underscores',
  status: '"success" or "error"',
  key: 'a string',
  api_key: 'a string',
  count: `an integer from 0 to ${MAX_COUNT}`,
  message: 'a string',
  site_url: `an absolute http or https URI of at most ${MAX_URL_CHARACTERS} characters`,
  cms_url: `an absolute http or https URI of at most ${MAX_URL_CHARACTERS} characters`,
  snapshot: 'a string',
  added: `an integer from 0 to ${MAX_COUNT}`,
  updated: `an integer from 0 to ${MAX_COUNT}`,
  removed: `an integer from 0 to ${MAX_COUNT}`,
  failed: 'an array of objects with a string affId and, optionally, a string reason',
  plugin: 'a string',
};

/** @throws ApiError BAD_REQUEST, which names the first missing member, else the first invalid member. */
export function parseReportRequest(body: unknown): ReportRequest {
  const report = REPORT_REQUEST.safeParse(body, { reportInput: true });
  if (report.success) return report.data;
  const { issues } = report.error;
  const missing = issues.find(({ input, path }) => input === undefined && path.length === 1);
  const member = (missing ?? issues[0])?.path[0];
  if (!isMember(member)) throw refusedParameter('body', 'a JSON object', 'The body is invalid');
  const fault = missing === undefined ? 'is invalid' : 'is missing';
  throw refusedParameter(member, ALLOWED[member], `The member "${member}" of the body ${fault}`);
}

function isMember(name: PropertyKey | undefined): name is keyof ReportRequest {
  return name !== undefined && Object.hasOwn(ALLOWED, name);
}

/** `Product/1.2; https://site`, with or without products before it and anything after it. */
const PRODUCT_AND_URL = /(?:^|[\s(])[^\s;/()]+\/[^\s;()]+ ?; ?(https?:\/\/[^\s;,()<>"]+)/i;

/** The site of a report: `site_url`, else `cms_url`, else the address in the User-Agent, else null. */
export function siteUrlOf(report: ReportRequest, userAgent: string | undefined): string | null {
  return report.site_url ?? report.cms_url ?? siteUrlOfUserAgent(userAgent);
}

function siteUrlOfUserAgent(userAgent: string | undefined): string | null {
  const url = PRODUCT_AND_URL.exec(userAgent ?? '')?.[1]?.replace(/(?<![.!?'*])[.!?'*]+$/, '');
  return url !== undefined && isHttpAddress(url) ? url : null;
}

import { SLUG_PATTERN } from '@passerelle/domain';
import { z } from 'zod';

const slug = z.string().regex(SLUG_PATTERN, 'expected letters, digits, hyphens and underscores');
const wishes = { force: z.boolean().default(false), dry_run: z.boolean().default(false) };
const ONE = z.strictObject({ crm: slug, client: slug, ...wishes });
const ALL = z.strictObject({ all: z.literal(true), ...wishes });

export type IngestRequest = z.output<typeof ONE> | z.output<typeof ALL>;

/** A body that asks for nothing we can do. The message names the member. */
export class BadIngestRequest extends Error {
  override readonly name = 'BadIngestRequest';
}

/** @throws BadIngestRequest */
export function parseIngestRequest(body: unknown): IngestRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadIngestRequest('the body must be a JSON object: {"crm": "…", "client": "…"} or {"all": true}');
  }
  const result = 'all' in body ? ALL.safeParse(body) : ONE.safeParse(body);
  if (result.success) return result.data;
  throw new BadIngestRequest(result.error.issues.map(sentenceOf).join('; '));
}

function sentenceOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const what = message.replace(/^Invalid input: /, '');
  return path.length === 0 ? what : `${path.join('.')}: ${what}`;
}

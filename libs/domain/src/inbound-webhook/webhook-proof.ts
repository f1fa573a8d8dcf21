import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebhookProof } from './webhook-rules';

const PREFIX = 'psc_';
/** A shorter secret would be easy to guess. */
export const MIN_WEBHOOK_SECRET_CHARACTERS = 16;

/** The secret part of an address to which a CRM sends webhooks: `psc_` and 32 random bytes. */
export function generateWebhookToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Generates a secret for a proof; null when the address itself is the secret. */
export function generateInboundSecret({ kind }: WebhookProof): string | null {
  if (kind === 'path') return null;
  const word = randomBytes(24).toString('base64url');
  return kind === 'basic' ? `passerelle:${word}` : word;
}

export interface SignedRequest {
  /** By name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The unchanged bytes. */
  body: Buffer;
}

/** Takes the same time wherever a proof is wrong. @param secret of the address; null when the path is the proof. */
export function isProven(proof: WebhookProof, secret: string | null, { headers, body }: SignedRequest): boolean {
  if (proof.kind === 'path') return true;
  if (secret === null) return false;
  if (proof.kind === 'basic') {
    const given = /^basic +(\S+)$/i.exec(textOf(headers['authorization']))?.[1] ?? '';
    return isSame(Buffer.from(given, 'base64').toString('utf8'), secret);
  }
  const written = textOf(headers[proof.header]).trim();
  const prefix = proof.prefix ?? '';
  const given = prefix !== '' && written.startsWith(prefix) ? written.slice(prefix.length) : written;
  const expected = createHmac(proof.hash, secret).update(body).digest(proof.encoding);
  return isSame(proof.encoding === 'hex' ? given.toLowerCase() : given, expected);
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

/** Compares hashes, so that the duration does not reveal the length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(hash(given), hash(expected));
}

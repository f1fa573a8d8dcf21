import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CallProof } from './call-rules';

const PREFIX = 'psc_';
/** A shorter secret could be guessed. */
export const LEAST_CALL_SECRET_CHARACTERS = 16;

/** What stands in the address that a CRM calls: as an API key, behind `psc_`. */
export function generateCallToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** A secret for a proof; null where the address is the only one. */
export function generateCallSecret({ kind }: CallProof): string | null {
  if (kind === 'path') return null;
  const word = randomBytes(24).toString('base64url');
  return kind === 'basic' ? `passerelle:${word}` : word;
}

/** What a call brings that its proof is looked for in. */
export interface ProvenCall {
  /** By names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came. */
  body: Buffer;
}

/**
 * Whether a call proves that it is the CRM's. Takes the same time whatever differs.
 *
 * @param secret of the address; null where the path is the proof.
 */
export function isProven(proof: CallProof, secret: string | null, { headers, body }: ProvenCall): boolean {
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

/** Of their hashes, so that neither length shows. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(hash(given), hash(expected));
}

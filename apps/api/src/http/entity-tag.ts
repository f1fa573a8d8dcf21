import { createHash } from 'node:crypto';

/**
 * The weak validator of an answer that is the same as long as these are. Weak, for a body names its request and may be
 * compressed (RFC 9110, section 8.8.1).
 */
export function weakTag(...parts: readonly (string | number)[]): string {
  return `W/"${parts.join('.')}"`;
}

/** For parts that are long or may hold characters that a tag may not. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Whether a request already has what `tag` stands for (`If-None-Match`, RFC 9110, section 13.1.2: weak comparison). */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  for (const [candidate] of ifNoneMatch.matchAll(/"[^"]*"/g)) if (candidate === opaque) return true;
  return false;
}

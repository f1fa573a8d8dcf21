import { createHash } from 'node:crypto';

/**
 * The weak validator of a response that stays the same while these parts do. It is weak because a body contains its
 * request id and may be compressed (RFC 9110, section 8.8.1).
 */
export function weakTag(...parts: readonly (string | number)[]): string {
  return `W/"${parts.join('.')}"`;
}

/** For parts that are long or may contain characters that a tag must not. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Whether a request already has the version of `tag` (`If-None-Match`, RFC 9110, section 13.1.2: weak comparison). */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  for (const [candidate] of ifNoneMatch.matchAll(/"[^"]*"/g)) if (candidate === opaque) return true;
  return false;
}

import { createHash } from 'node:crypto';

/** Weak, because a body contains its request id and may be compressed (RFC 9110, section 8.8.1). */
export function weakTag(...parts: readonly (string | number)[]): string {
  return `W/"${parts.join('.')}"`;
}

/** A digest of a part of a tag that is too long, or may contain characters that are invalid in a tag. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Whether the client already has the version of `tag` (`If-None-Match`, RFC 9110, section 13.1.2: weak comparison). */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  for (const [candidate] of ifNoneMatch.matchAll(/"[^"]*"/g)) if (candidate === opaque) return true;
  return false;
}

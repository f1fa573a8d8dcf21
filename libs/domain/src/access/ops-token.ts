import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether what a client presents is the operators' token. The time that this takes tells nothing about where they differ,
 * nor about their lengths.
 */
export function isOpsToken(presented: string, token: string): boolean {
  return timingSafeEqual(digest(presented), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Whether a header `Authorization` carries the operators' token as bearer. Without a token none does; it takes the same time
 * then, and whatever the header says.
 */
export function carriesOpsToken(authorization: string | undefined, opsToken: string | null): boolean {
  const presented = BEARER.exec(authorization ?? '')?.[1];
  return isOpsToken(presented ?? '', opsToken ?? 'none') && presented !== undefined && opsToken !== null;
}

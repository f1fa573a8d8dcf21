import { createHash, timingSafeEqual } from 'node:crypto';

/** The duration reveals neither the first difference nor the lengths. */
export function isOpsToken(presented: string, token: string): boolean {
  return timingSafeEqual(digest(presented), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const BEARER = /^bearer +(\S+) *$/i;

/** Without a configured token the result is always false, and takes the same time. */
export function carriesOpsToken(authorization: string | undefined, opsToken: string | null): boolean {
  const presented = BEARER.exec(authorization ?? '')?.[1];
  return isOpsToken(presented ?? '', opsToken ?? 'none') && presented !== undefined && opsToken !== null;
}

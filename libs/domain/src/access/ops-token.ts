import { createHash, timingSafeEqual } from 'node:crypto';

/** Its duration reveals neither the lengths nor the first different character. */
export function isOpsToken(presented: string, token: string): boolean {
  return timingSafeEqual(digest(presented), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const BEARER = /^bearer +(\S+) *$/i;

/** Without a configured token, returns false after the same time. */
export function carriesOpsToken(authorization: string | undefined, opsToken: string | null): boolean {
  const presented = BEARER.exec(authorization ?? '')?.[1];
  return isOpsToken(presented ?? '', opsToken ?? 'none') && presented !== undefined && opsToken !== null;
}

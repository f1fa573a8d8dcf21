import { createHash, timingSafeEqual } from 'node:crypto';

/** Why a request is not let in; null when it is. */
export interface Refusal {
  status: 401 | 403;
  error: string;
  /** What the client is asked for. */
  challenge: string | null;
}

export interface Door {
  /** Null: nobody set one, and the door stays shut. */
  opsToken: string | null;
  /** Whether the token may also come as the password of HTTP Basic, the one way in that a browser offers a person. */
  isForBrowsers: boolean;
}

const CHALLENGES = { bearer: 'Bearer', basic: 'Basic realm="Passerelle queues", charset="UTF-8"' };

/** Judges an `Authorization` header. */
export function refusalOf(authorization: string | undefined, { opsToken, isForBrowsers }: Door): Refusal | null {
  if (opsToken === null) {
    return { status: 403, error: 'this is closed: the ingestor has no OPS_TOKEN', challenge: null };
  }
  const challenge = isForBrowsers ? CHALLENGES.basic : CHALLENGES.bearer;
  const presented = presentedToken(authorization ?? '', isForBrowsers);
  if (presented !== null && isSame(presented, opsToken)) return null;
  const way = isForBrowsers ? 'as a bearer token, or as the password of any user' : 'as a bearer token';
  const error = presented === null ? `give the OPS_TOKEN ${way}` : 'this is not the OPS_TOKEN';
  return { status: 401, error, challenge };
}

function presentedToken(authorization: string, isForBrowsers: boolean): string | null {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +(\S+) *$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic' || !isForBrowsers) return null;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}

/** In a time that says nothing about where they differ, nor about the length of either. */
function isSame(presented: string, token: string): boolean {
  return timingSafeEqual(digest(presented), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import { isOpsToken } from '@passerelle/domain';

export interface Refusal {
  status: 401 | 403;
  error: string;
  /** The `WWW-Authenticate` header of the response. */
  challenge: string | null;
  /** Whether the request had a wrong token. */
  isGuess: boolean;
}

export interface OpsAccess {
  /** Null when no token is set; then every request is refused. */
  opsToken: string | null;
  /** Whether the token may also be the password of HTTP Basic, the only method for which a browser shows a prompt. */
  isForBrowsers: boolean;
}

const CHALLENGES = { bearer: 'Bearer', basic: 'Basic realm="Passerelle queues", charset="UTF-8"' };

/** Checks an `Authorization` header. @returns null when the request may pass. */
export function refusalOf(authorization: string | undefined, { opsToken, isForBrowsers }: OpsAccess): Refusal | null {
  if (opsToken === null) {
    return { status: 403, error: 'access is closed: the ingestor has no OPS_TOKEN', challenge: null, isGuess: false };
  }
  const challenge = isForBrowsers ? CHALLENGES.basic : CHALLENGES.bearer;
  const presented = presentedToken(authorization ?? '', isForBrowsers);
  if (presented !== null && isOpsToken(presented, opsToken)) return null;
  const way = isForBrowsers ? 'as a bearer token, or as the password of any user' : 'as a bearer token';
  const error = presented === null ? `give the OPS_TOKEN ${way}` : 'this is not the OPS_TOKEN';
  return { status: 401, error, challenge, isGuess: presented !== null };
}

function presentedToken(authorization: string, isForBrowsers: boolean): string | null {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +(\S+) *$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic' || !isForBrowsers) return null;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}

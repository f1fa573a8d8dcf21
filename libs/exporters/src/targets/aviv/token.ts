import { AccessRefused } from '@passerelle/domain';
import type { PlacementConfig, PortalHttp } from '../../kit/contracts';

export interface AvivAccess {
  /** Address of the API, which is the audience of the token too. */
  api: string;
  authorization: string;
  intermediary: string;
  clientId: string;
  clientSecret: string;
}

/** The portal counts tokens, and wants each to be used as long as it lives: 24 hours. */
interface KeptToken {
  value: Promise<string>;
  usableUntilMs: number;
  requestedAtMs: number;
}

const MINUTE_MS = 60_000;
const SPARE_MS = 10 * MINUTE_MS;
/** A refused login is tried again only after this time: each further try counts at the portal. */
const REFUSAL_MS = 30 * MINUTE_MS;
const USUAL_LIFE_S = 86_400;
const MOST_TOKENS = 500;

/** The tokens of this process, shared by all placements with the same login. */
const tokens = new Map<string, KeptToken>();

/** @throws AccessRefused when the portal refuses the login */
export async function tokenFor(access: AvivAccess, http: PortalHttp): Promise<string> {
  const key = keyOf(access);
  const kept = tokens.get(key);
  if (kept !== undefined && kept.usableUntilMs > Date.now()) return kept.value;
  const entry: KeptToken = {
    value: Promise.resolve(''),
    usableUntilMs: Date.now() + REFUSAL_MS,
    requestedAtMs: Date.now(),
  };
  entry.value = requestToken(access, http).then(
    ({ token, lifeS }) => {
      entry.usableUntilMs = Date.now() + lifeS * 1000 - SPARE_MS;
      return token;
    },
    (error: unknown) => {
      // A portal that does not answer has refused nothing.
      if (!(error instanceof AccessRefused)) tokens.delete(key);
      throw error;
    },
  );
  tokens.delete(key);
  tokens.set(key, entry);
  if (tokens.size > MOST_TOKENS) tokens.delete(tokens.keys().next().value!);
  return entry.value;
}

/**
 * Forgets a token that the API refuses although it should still live. @returns false for a new one: then the access is
 * wrong, and another token would be refused too.
 */
export function forgetOldToken(access: AvivAccess): boolean {
  const kept = tokens.get(keyOf(access));
  if (kept === undefined || Date.now() - kept.requestedAtMs < SPARE_MS) return false;
  return tokens.delete(keyOf(access));
}

function keyOf({ authorization, api, clientId, clientSecret, intermediary }: AvivAccess): string {
  return JSON.stringify([authorization, api, clientId, clientSecret, intermediary]);
}

async function requestToken(access: AvivAccess, http: PortalHttp): Promise<{ token: string; lifeS: number }> {
  const answer = await http({
    method: 'POST',
    url: access.authorization,
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': USER_AGENT },
    body: JSON.stringify({
      ...{ grant_type: 'client_credentials', client_id: access.clientId, client_secret: access.clientSecret },
      ...{ audience: access.api, intermediary_id: access.intermediary },
    }),
  });
  const members = jsonOf(answer.text);
  const { access_token: token, expires_in: lifeS } = members;
  if (answer.status !== 200 || typeof token !== 'string')
    throw new AccessRefused(`the portal refuses the login (${answer.status} ${wordsOf(members)})`.trim());
  return { token, lifeS: typeof lifeS === 'number' ? lifeS : USUAL_LIFE_S };
}

/** The portal's firewall wants the software and the system, each with a version. */
export const USER_AGENT = 'Passerelle/1.0 Node/20';

export function accessOf({ credentials, settings }: PlacementConfig): AvivAccess {
  const isProduction = settings['environment'] === 'production';
  return {
    api: settings['api'] ?? `https://api.aviv-group.com/${isProduction ? '' : 'sandbox/'}caas/v4`,
    authorization: settings['authorization'] ?? 'https://auth.api.aviv-group.com/oauth/token',
    intermediary: settings['intermediary'] ?? '',
    clientId: credentials['client-id'] ?? '',
    clientSecret: credentials['client-secret'] ?? '',
  };
}

export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The words of an error: of OAuth, or by RFC 7807 with the members that the API refuses. */
export function wordsOf(members: Record<string, unknown>): string {
  const errors = Array.isArray(members['errors']) ? (members['errors'] as Record<string, unknown>[]) : [];
  const details = errors
    .slice(0, 4)
    .map(({ name, reason }) => [name, reason].filter((word) => typeof word === 'string').join(' '));
  const words = ['title', 'detail', 'error', 'error_description'].map((name) => members[name]);
  return [...words.filter((word) => typeof word === 'string'), ...details].join(': ').slice(0, LONGEST_WORDS);
}

const LONGEST_WORDS = 500;

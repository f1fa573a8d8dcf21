import { AccessRefused } from '@passerelle/domain';
import type { SourceClient } from './contracts';
import { basicAuthorization } from './http-access';
import type { Exchanged } from './source-client';

/** The lifetime of a token if the server does not state it, which RFC 6749 allows. */
const USUAL_LIFETIME_S = 600;

/** The request for a token. */
export interface ClientCredentials {
  url: string;
  id: string;
  secret: string;
  parameters?: Readonly<Record<string, string>>;
}

/**
 * OAuth 2.0 client credentials (RFC 6749 section 4.4). Call it in `prepare`, which runs again when the token expires.
 * @throws AccessRefused when the server gives no token; other FeedErrors when it does not answer.
 */
export async function bearerFor(
  client: SourceClient,
  credentials: ClientCredentials,
): Promise<{ authorization: string }> {
  const { url, id, secret, parameters = {} } = credentials;
  const token = await client.exchanged([url, id, secret, JSON.stringify(parameters)], () =>
    exchange(client, credentials),
  );
  return { authorization: `Bearer ${token}` };
}

async function exchange(client: SourceClient, { url, id, secret, parameters }: ClientCredentials): Promise<Exchanged> {
  const answer = await client.getJson({
    url,
    method: 'POST',
    headers: {
      ...basicAuthorization(encodeURIComponent(id), encodeURIComponent(secret)),
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }).toString(),
  });
  const {
    access_token: token,
    token_type: type = 'Bearer',
    expires_in: lifetime,
  } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token))
    throw new AccessRefused('the authorization server gave no token');
  if (!/^bearer$/i.test(String(type))) throw new AccessRefused('the authorization server gave a token of another kind');
  const seconds = Number(lifetime);
  return { value: token, lifetimeMs: 1000 * (seconds > 0 && seconds < Infinity ? seconds : USUAL_LIFETIME_S) };
}

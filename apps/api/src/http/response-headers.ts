const STANDARD_HEADERS: Readonly<Record<string, string>> = {
  'x-listings-api-version': '1',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'private',
};

/** For errors and confirmations, which even the client's own cache must not store. */
export const CACHE_NEVER = 'private, no-store';

export const JSON_TYPE = 'application/json; charset=utf-8';

export function standardHeaders({ requireHttps }: { requireHttps: boolean }): Readonly<Record<string, string>> {
  return { ...STANDARD_HEADERS, ...(requireHttps && { 'strict-transport-security': 'max-age=31536000' }) };
}

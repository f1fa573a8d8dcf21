/** Headers of every answer, whatever it is. */
export const STANDARD_HEADERS: Readonly<Record<string, string>> = {
  'x-listings-api-version': '1',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

export const CACHE_PRIVATE = 'private';
/** Errors and confirmations must not even be kept by the client's own cache. */
export const CACHE_NEVER = 'private, no-store';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const HSTS = 'max-age=31536000';

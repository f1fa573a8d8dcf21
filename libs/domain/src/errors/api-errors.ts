export const API_ERRORS = {
  BAD_REQUEST: 400,
  AUTH_FAILED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  /** Extension: too many wrong keys, or too many requests if a rate limit is set. */
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  /** Extension, only for webhooks from CRMs: the webhook could not be stored. */
  UNAVAILABLE: 503,
} as const;
export type ApiErrorCode = keyof typeof API_ERRORS;

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    readonly detail?: Record<string, unknown>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get status(): number {
    return API_ERRORS[this.code];
  }
}

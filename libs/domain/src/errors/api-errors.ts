/** Every error that the API answers with: code and HTTP status. */
export const API_ERRORS = {
  BAD_REQUEST: 400,
  AUTH_FAILED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  /** Extension: too many wrong keys and, only where a rate limit is switched on, too many requests. */
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  /** Extension, to calls of CRMs alone: it could not be written down. */
  UNAVAILABLE: 503,
} as const;
export type ApiErrorCode = keyof typeof API_ERRORS;

/** An error that becomes an answer to the client. */
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

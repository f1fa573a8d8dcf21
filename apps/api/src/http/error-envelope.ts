import { isDatabaseAway, isForLater, isWriteRefused } from '@passerelle/database';
import { ApiError, type ApiErrorCode } from '@passerelle/domain';

/** The body of every error. */
export interface ErrorEnvelope {
  status: 'error';
  code: ApiErrorCode;
  message: string;
  /** ISO 8601. */
  timestamp: string;
  request_id: string;
  detail?: Record<string, unknown>;
}

export function errorEnvelope(error: ApiError, requestId: string, nowMs: number): ErrorEnvelope {
  return {
    status: 'error',
    code: error.code,
    message: error.message,
    timestamp: new Date(nowMs).toISOString(),
    request_id: requestId,
    ...(error.detail !== undefined && { detail: error.detail }),
  };
}

export const BODY_LIMIT_BYTES = 64 * 1024;

export const NOT_UTF8 = 'The body is not valid UTF-8.';
export const NO_PATH = 'The address is not a path in valid percent-encoded UTF-8.';

/** Clients retry after this time: a database that restarts is back after seconds. */
const RETRY_SECONDS = 5;

const REQUEST_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON, sent with Content-Type: application/json.',
  FST_ERR_CTP_BODY_TOO_LARGE: `The body must not be larger than ${BODY_LIMIT_BYTES} bytes.`,
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; it must be a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
  FST_ERR_BAD_URL: NO_PATH,
};

/** The response to an error of any kind. It reveals nothing about an unexpected error. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = faultOf(error);
  const known = code === undefined ? undefined : REQUEST_FAULTS[code];
  if (known !== undefined) return new ApiError('BAD_REQUEST', known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('BAD_REQUEST', 'The request is malformed.');
  }
  const cause = causeInDatabase(error);
  if (cause !== null) {
    return new ApiError(
      'INTERNAL_ERROR',
      `${cause} Try again in ${RETRY_SECONDS} s.`,
      { retry_after_seconds: RETRY_SECONDS },
      { 'retry-after': String(RETRY_SECONDS) },
    );
  }
  return new ApiError('INTERNAL_ERROR', 'An internal error occurred. Quote the request_id when you report it.');
}

function causeInDatabase(error: unknown): string | null {
  if (isDatabaseAway(error)) return 'The database does not answer.';
  if (isWriteRefused(error)) return 'The database accepts no writes.';
  return isForLater(error) ? 'The database took too long.' : null;
}

/** If only the database is at fault, the response tells the CRM when to send the webhook again. */
export function toWebhookError(error: unknown): ApiError {
  if (!isForLater(error)) return toApiError(error);
  return new ApiError(
    'UNAVAILABLE',
    `The call could not be recorded. Try again in ${RETRY_SECONDS} s.`,
    { retry_after_seconds: RETRY_SECONDS },
    { 'retry-after': String(RETRY_SECONDS) },
  );
}

function faultOf(error: unknown): { code?: string; statusCode?: number } {
  if (typeof error !== 'object' || error === null) return {};
  const fault: { code?: string; statusCode?: number } = {};
  // Only errors of Fastify and Nest are about the request; a driver's error may have a code and a status too.
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('FST_')) {
    fault.code = error.code;
    if ('statusCode' in error && typeof error.statusCode === 'number') fault.statusCode = error.statusCode;
  } else if ('getStatus' in error && typeof error.getStatus === 'function') {
    const status: unknown = (error.getStatus as () => unknown).call(error);
    if (typeof status === 'number') fault.statusCode = status;
  } else if (error instanceof SyntaxError && 'statusCode' in error) {
    fault.code = 'FST_ERR_CTP_INVALID_JSON_BODY';
  }
  return fault;
}

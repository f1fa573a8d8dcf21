/** A call without the expected answer. Code that catches this error must not change or remove anything. */
export class Failure extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** For the operator's log; empty when there was no answer. */
  readonly requestId: string;

  constructor(message: string, { status = 0, requestId = '' }: { status?: number; requestId?: string } = {}) {
    super(message);
    this.name = new.target.name;
    this.status = status;
    this.requestId = requestId;
  }
}

/** Try again later: an outage, a limit or a truncated answer. */
export class RetryLater extends Failure {
  readonly retryAfterSeconds: number;

  constructor(message: string, about: { status?: number; requestId?: string; retryAfterSeconds?: number } = {}) {
    super(message, about);
    this.retryAfterSeconds = about.retryAfterSeconds ?? 60;
  }
}

/** A complete answer whose parts contradict each other. */
export class Unproven extends RetryLater {}

/** Stop and ask a person: the key is wrong (401), the gateway is disabled (403), or the address is not the API's. */
export class AskOperator extends Failure {}

/** The gateway no longer keeps the snapshot: start again with the manifest. */
export class Expired extends Failure {}

/** The request is wrong (400, 404, 405): repeating it does not help. */
export class Refused extends Failure {}

interface ErrorBody {
  status?: unknown;
  message?: unknown;
  detail?: { reason?: unknown };
}

/** The failure that corresponds to an unsuccessful answer. */
export function failureOf(response: Response, body: unknown): Failure {
  const { status } = response;
  const error = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const message = typeof error.message === 'string' ? error.message : `HTTP ${String(status)} without an explanation.`;
  const about = { status, requestId: response.headers.get('x-request-id') ?? '' };
  if (status === 401 || status === 403) return new AskOperator(message, about);
  if (error.detail?.reason === 'expired') return new Expired(message, about);
  if (error.status === 'error' && [400, 404, 405].includes(status)) return new Refused(message, about);
  return new RetryLater(message, { ...about, retryAfterSeconds: waitOf(response.headers.get('retry-after')) });
}

function waitOf(header: string | null): number {
  const seconds = Number(header ?? '60');
  const wait = Number.isNaN(seconds) ? (Date.parse(header ?? '') - Date.now()) / 1000 : seconds;
  return Math.max(1, Math.min(Number.isNaN(wait) ? 60 : Math.ceil(wait), 86_400));
}

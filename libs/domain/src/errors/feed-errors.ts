/** A feed that could not be read. Each subclass is named after the next step. */
export abstract class FeedError extends Error {
  abstract readonly todo: 'retry' | 'give-up' | 'fix-access';
}

/** The source may answer later: an outage, a timeout, a 5xx or a 429. */
export class RetryLater extends FeedError {
  override readonly name = 'RetryLater';
  readonly todo = 'retry';

  /** @param retryAfterMs the wait that the source requested, if any. */
  constructor(
    message: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The source answered, but not with a complete feed of this format; the next scheduled run may find a good one. */
export class BadFeed extends FeedError {
  override readonly name = 'BadFeed';
  readonly todo = 'give-up';
}

/** The source refuses us, or the gateway's settings cannot work: a person must change something. */
export class AccessRefused extends FeedError {
  override readonly name = 'AccessRefused';
  readonly todo = 'fix-access';
}

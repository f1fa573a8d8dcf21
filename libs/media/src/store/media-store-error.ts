/** What is wrong with a store: it has no room, it does not let us in, or it is not there. */
export type StoreProblem = 'full' | 'refused' | 'unavailable';

/** The store cannot be used; the message is one sentence for an operator, without credentials. */
export class MediaStoreError extends Error {
  override readonly name = 'MediaStoreError';

  constructor(
    readonly problem: StoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

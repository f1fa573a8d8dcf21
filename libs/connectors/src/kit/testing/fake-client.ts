import type { SourceClient } from '../source-client';

/** A client that asks nobody: what a test does not name fails, and credentials are exchanged at once. */
export function fakeClient<T extends Partial<SourceClient>>(changes: T): SourceClient & T {
  const unasked = (): Promise<never> => Promise.reject(new Error('not asked'));
  return {
    getJson: unasked,
    getTable: unasked,
    get: unasked,
    exchanged: async (_account, exchange) => (await exchange()).value,
    warn: () => undefined,
    ...changes,
  };
}

import type { SourceClient } from '../../../libs/connectors/src/kit/source-client';

/** A client without a network. Methods fail unless the test replaces them; credentials are exchanged immediately. */
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

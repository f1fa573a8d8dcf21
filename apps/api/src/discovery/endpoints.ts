import type { Operation } from './operation';

/** One line of what `/v1` lists. */
export interface Endpoint {
  method: string;
  path: string;
  /** Whether it needs an API key. */
  auth: boolean;
  purpose: string;
}

/** The calls that consumers make. */
export function endpoints(operations: readonly Operation[]): Endpoint[] {
  return operations.flatMap(({ method, path, listed, openapi }) => {
    if (listed === undefined) return [];
    const { purpose, query = '' } = listed;
    return [{ method: method.toUpperCase(), path: path + query, auth: openapi.security.length > 0, purpose }];
  });
}

import type { Endpoint } from '../../../apps/api/src/discovery/documents';
import type { Operation } from './operation';

/** The calls that consumers make. */
export function endpoints(operations: readonly Operation[]): Endpoint[] {
  return operations.flatMap(({ method, path, listed, openapi }) => {
    if (listed === undefined) return [];
    const { purpose, query = '' } = listed;
    return [{ method: method.toUpperCase(), path: path + query, auth: openapi.security.length > 0, purpose }];
  });
}

import type { Endpoint } from '../../../apps/api/src/discovery/documents';

/** One call of the API. openapi.json describes them all; `/v1` lists those that consumers make. */
export interface Operation {
  method: 'get' | 'post' | 'delete';
  path: string;
  /** Its purpose, when `/v1` lists it, and the query that belongs to its address. */
  listed?: { purpose: string; query?: string };
  /** Its Operation Object in openapi.json. */
  openapi: { security: readonly object[]; [member: string]: unknown };
}

/** The calls that consumers make. */
export function endpoints(operations: readonly Operation[]): Endpoint[] {
  return operations.flatMap(({ method, path, listed, openapi }) => {
    if (listed === undefined) return [];
    const { purpose, query = '' } = listed;
    return [{ method: method.toUpperCase(), path: path + query, auth: openapi.security.length > 0, purpose }];
  });
}

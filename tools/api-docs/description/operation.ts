import type { Endpoint } from '../../../apps/api/src/discovery/documents';

/** One call of the API. openapi.json describes all calls; `/v1` lists the calls for consumers. */
export interface Operation {
  method: 'get' | 'post' | 'delete';
  path: string;
  /** Its purpose and example query, if `/v1` lists the call. */
  listed?: { purpose: string; query?: string };
  openapi: { security: readonly object[]; [member: string]: unknown };
}

/** The calls for consumers. */
export function endpoints(operations: readonly Operation[]): Endpoint[] {
  return operations.flatMap(({ method, path, listed, openapi }) => {
    if (listed === undefined) return [];
    const { purpose, query = '' } = listed;
    return [{ method: method.toUpperCase(), path: path + query, auth: openapi.security.length > 0, purpose }];
  });
}

import pg from 'pg';

type Query = (...parameters: unknown[]) => unknown;

/** Behind a pooler in transaction mode, a named statement may reach a session that did not prepare it. */
export class UnpreparedClient extends pg.Client {
  // The driver's method has a dozen signatures, and all begin with the query.
  override query = ((query: unknown, ...rest: unknown[]): unknown => {
    const send = pg.Client.prototype.query.bind(this) as unknown as Query;
    return send(hasName(query) ? { ...query, name: undefined } : query, ...rest);
  }) as pg.Client['query'];
}

/** Whether a query has a name. A query with its own `submit` method chooses its messages itself. */
function hasName(query: unknown): query is { name: string } {
  return typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);
}

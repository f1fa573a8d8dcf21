import pg from 'pg';

type Query = (...parameters: unknown[]) => unknown;

/**
 * A client whose statements have no name: behind a pooler of transactions, the next one may meet a session in which nobody has
 * prepared it.
 */
export class UnnamedClient extends pg.Client {
  // The driver's own has a dozen signatures, all of which begin with the query.
  override query = ((query: unknown, ...rest: unknown[]): unknown => {
    const ask = pg.Client.prototype.query.bind(this) as unknown as Query;
    return ask(hasName(query) ? { ...query, name: undefined } : query, ...rest);
  }) as pg.Client['query'];
}

/** What has a `submit` of its own says itself what it sends. */
function hasName(query: unknown): query is { name: string } {
  return typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);
}

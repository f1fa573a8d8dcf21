/** The schema is not one that this code can work with. The message says what to do. */
export class SchemaUnfit extends Error {
  override readonly name = 'SchemaUnfit';
}

/** What a migration's name begins with that takes something away which an older release still uses. */
export const CONTRACT = 'Contract';

/**
 * Holds the migrations that a database has against those that this code knows. What a newer release has added does no
 * harm: its migrations only add, until one that contracts.
 *
 * @throws SchemaUnfit
 */
export function assertFit(applied: readonly string[], known: readonly string[]): void {
  if (known.some((name) => !applied.includes(name))) {
    throw new SchemaUnfit('the database lacks migrations of this release: run the migration step');
  }
  const ahead = applied.find((name) => name.startsWith(CONTRACT) && !known.includes(name));
  if (ahead !== undefined) {
    throw new SchemaUnfit(`the database is of a newer release (${ahead}): stop this process and start the newer one`);
  }
}

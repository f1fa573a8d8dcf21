/** This code cannot work with the schema. The message says what to do. */
export class SchemaUnfit extends Error {
  override readonly name = 'SchemaUnfit';
}

/** Prefix of a migration that removes something that an older release still uses. */
export const CONTRACT = 'Contract';

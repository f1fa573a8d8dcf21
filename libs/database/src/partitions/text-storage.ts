/** How PostgreSQL stores texts of more than 2 KB: docs/decisions/0071. */
export type TextCompression = 'lz4' | 'none';

/** A row of up to 8 KB stays whole and uncompressed in its block. */
export const WHOLE = 'toast_tuple_target = 8160';
/** PostgreSQL compresses values longer than 2 KB, but leaves them in the block. */
export const COMPRESSED = 'toast_tuple_target = 128';

/** lz4 where the server has it. Without it texts stay as they are, because pglz costs an import more than the disk saves. */
export async function compressionOf(query: (sql: string) => Promise<unknown>): Promise<TextCompression> {
  const rows = await query(
    `SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`,
  );
  return Array.isArray(rows) && rows.length > 0 ? 'lz4' : 'none';
}

/** Applies to texts that are written later. @param isPartition a divided table itself has no storage parameters. */
export function storeTexts(table: string, compression: TextCompression, isPartition: boolean): string[] {
  const isPlain = compression === 'none';
  return [
    ...(isPlain ? [] : [`ALTER TABLE ${table} ALTER COLUMN body SET COMPRESSION ${compression}`]),
    ...(isPartition ? [`ALTER TABLE ${table} SET (${isPlain ? WHOLE : COMPRESSED})`] : []),
  ];
}
